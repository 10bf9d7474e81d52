/** Setup per platform: allow plain http, or trust our certificate. */
import { Stack } from "@mantine/core";
import type { Target } from "../../shared/network/targets.ts";
import { CodeBlock } from "../../ui/code.tsx";
import { Section } from "../../ui/screen.tsx";

const securityConfig = (
  hosts: readonly string[],
): string => `<!-- src/debug/res/xml/network_security_config.xml: in the debug build only -->
<network-security-config>
  <domain-config cleartextTrafficPermitted="true">
${hosts.map((host) => `    <domain>${host}</domain>`).join("\n")}
  </domain-config>
</network-security-config>`;

const TRUST_CONFIG = `<!-- src/debug/res/xml/network_security_config.xml: in the debug build only -->
<network-security-config>
  <debug-overrides>
    <trust-anchors>
      <certificates src="@raw/stagedoor_ca" />
      <certificates src="user" />
    </trust-anchors>
  </debug-overrides>
</network-security-config>`;

const DEBUG_MANIFEST = `<!-- src/debug/AndroidManifest.xml -->
<manifest xmlns:android="http://schemas.android.com/apk/res/android" xmlns:tools="http://schemas.android.com/tools">
  <uses-permission android:name="android.permission.INTERNET" />
  <application
    android:networkSecurityConfig="@xml/network_security_config"
    tools:replace="android:networkSecurityConfig" />
</manifest>`;

const FLUTTER = `final context = SecurityContext(withTrustedRoots: true)
  ..setTrustedCertificatesBytes((await rootBundle.load('assets/stagedoor_ca.pem')).buffer.asUint8List());
final client = IOClient(HttpClient(context: context));`;

const LOCAL_NETWORK = `<uses-permission android:name="android.permission.ACCESS_LOCAL_NETWORK" />`;

const IOS_TRANSPORT = `<key>NSAppTransportSecurity</key>
<dict>
  <key>NSAllowsLocalNetworking</key>
  <true/>
</dict>`;

const IOS_USAGE = `<key>NSLocalNetworkUsageDescription</key>
<string>Connects to Stagedoor on the developer’s machine.</string>`;

interface PlatformsProps {
  readonly target: Target;
  readonly hosts: readonly string[];
  readonly isSecure: boolean;
}

const Android = ({ hosts, isSecure }: Omit<PlatformsProps, "target">) => (
  <>
    <h3>Android</h3>
    {isSecure ? (
      <p>
        Apps trust no certificate that a user installed, unless their configuration says so. Save the certificate as{" "}
        <code className="mono">src/debug/res/raw/stagedoor_ca.pem</code>.
      </p>
    ) : (
      <p>Since Android 9, apps reject plain http unless their configuration lists the host.</p>
    )}
    <CodeBlock what="network_security_config" text={isSecure ? TRUST_CONFIG : securityConfig(hosts)} />
    <CodeBlock what="debug manifest" text={DEBUG_MANIFEST} />
    {isSecure && (
      <>
        <p>Flutter ignores that configuration. Load the certificate from an asset:</p>
        <CodeBlock what="Flutter client" text={FLUTTER} />
      </>
    )}
    <p>
      Android 17 blocks the local network for apps that target API 37 until the user allows it. Declare the permission,
      and request it at run time. If calls from an emulator to 10.0.2.2 time out, the emulator needs it too; through adb
      reverse it does not.
    </p>
    <CodeBlock what="local network permission" text={LOCAL_NETWORK} />
  </>
);

const Ios = ({ phone, isSecure }: { readonly phone: boolean; readonly isSecure: boolean }) => (
  <>
    <h3>iOS</h3>
    {isSecure ? (
      <p>
        Once the device trusts the certificate, the app needs no exception. The page behind the QR code has the steps.
      </p>
    ) : (
      <>
        <p>App Transport Security blocks plain http. This allows only local addresses.</p>
        <CodeBlock what="Info.plist, transport security" text={IOS_TRANSPORT} />
      </>
    )}
    {phone && (
      <>
        <p>
          iOS asks the user once, with this text. To change the answer: Settings, Privacy & Security, Local Network.
        </p>
        <CodeBlock what="Info.plist, local network" text={IOS_USAGE} />
      </>
    )}
  </>
);

/** The setup that phones need for plain http, or for https with our certificate. */
export const Platforms = ({ target, hosts, isSecure }: PlatformsProps) => {
  if (target === null) return null;
  return (
    <Section title={isSecure ? "Trust the certificate" : "Plain http"}>
      <Stack gap={8} className="dim">
        {target !== "ios" && <Android hosts={hosts.length > 0 ? hosts : ["192.168.1.10"]} isSecure={isSecure} />}
        {target !== "android" && <Ios phone={target === "phone"} isSecure={isSecure} />}
      </Stack>
    </Section>
  );
};
