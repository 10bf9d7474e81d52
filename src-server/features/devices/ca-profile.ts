/** The certificate of the authority as a configuration profile for iPhones, iPads and Macs. */
import { escaped } from "#http/answering/html.ts";
import type { RootCertificate } from "#http/network.ts";

/** @returns a UUID derived from the fingerprint, so that a second download replaces the first. */
const uuidFrom = (hex: string): string =>
  hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-5$3-8$4-$5").toUpperCase();

/** @returns the profile, as XML. */
export const caProfile = ({ der, fingerprint256, subject }: RootCertificate): string => {
  const hex = fingerprint256.replaceAll(":", "").toLowerCase();
  const name = escaped(/^CN=([^,]*)/.exec(subject)?.[1] ?? "Stagedoor CA");
  const id = `local.stagedoor.ca.${hex.slice(0, 16)}`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>PayloadContent</key>
  <array>
    <dict>
      <key>PayloadCertificateFileName</key><string>ca.crt</string>
      <key>PayloadContent</key><data>${der.toString("base64")}</data>
      <key>PayloadDisplayName</key><string>${name}</string>
      <key>PayloadIdentifier</key><string>${id}.certificate</string>
      <key>PayloadType</key><string>com.apple.security.root</string>
      <key>PayloadUUID</key><string>${uuidFrom(hex.slice(32))}</string>
      <key>PayloadVersion</key><integer>1</integer>
    </dict>
  </array>
  <key>PayloadDescription</key><string>Lets this device trust https connections to Stagedoor on your computer. It cannot vouch for any site on the internet.</string>
  <key>PayloadDisplayName</key><string>${name}</string>
  <key>PayloadIdentifier</key><string>${id}</string>
  <key>PayloadRemovalDisallowed</key><false/>
  <key>PayloadType</key><string>Configuration</string>
  <key>PayloadUUID</key><string>${uuidFrom(hex)}</string>
  <key>PayloadVersion</key><integer>1</integer>
</dict>
</plist>
`;
};
