import { Stack } from "@mantine/core";
import { CodeBlock } from "../../ui/copy.tsx";
import { Section } from "../../ui/screen.tsx";
import type { Target } from "./targets.ts";

const securityConfig = (
  hosts: readonly string[],
): string => `<!-- src/debug/res/xml/network_security_config.xml: in the debug build only -->
<network-security-config>
  <domain-config cleartextTrafficPermitted="true">
${hosts.map((host) => `    <domain>${host}</domain>`).join("\n")}
  </domain-config>
</network-security-config>`;

const DEBUG_MANIFEST = `<!-- src/debug/AndroidManifest.xml -->
<manifest xmlns:android="http://schemas.android.com/apk/res/android">
  <application android:networkSecurityConfig="@xml/network_security_config" />
</manifest>`;

const LOCAL_NETWORK = `<uses-permission android:name="android.permission.ACCESS_LOCAL_NETWORK" />`;

const IOS_TRANSPORT = `<key>NSAppTransportSecurity</key>
<dict>
  <key>NSAllowsLocalNetworking</key>
  <true/>
</dict>`;

const IOS_USAGE = `<key>NSLocalNetworkUsageDescription</key>
<string>Reaches the emulator on the developer’s machine.</string>`;

const Android = ({ hosts }: { readonly hosts: readonly string[] }) => (
  <>
    <h3>Android</h3>
    <p>Since Android 9 apps refuse plain http unless their configuration names the host.</p>
    <CodeBlock what="network_security_config" text={securityConfig(hosts)} />
    <CodeBlock what="debug manifest" text={DEBUG_MANIFEST} />
    <p>
      Android 17 blocks the local network for apps that target API 37 until the user allows it. Declare the permission,
      and request it at run time. If calls from an emulator to 10.0.2.2 time out, the emulator needs it too; through adb
      reverse it does not.
    </p>
    <CodeBlock what="local network permission" text={LOCAL_NETWORK} />
  </>
);

const Ios = ({ phone }: { readonly phone: boolean }) => (
  <>
    <h3>iOS</h3>
    <p>App Transport Security refuses plain http. This allows local addresses only.</p>
    <CodeBlock what="Info.plist, transport security" text={IOS_TRANSPORT} />
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

interface PlainHttpProps {
  readonly target: Target;
  /** Hosts of the base URLs. */
  readonly hosts: readonly string[];
}

/** What the systems of phones need before they speak plain http. */
export const PlainHttp = ({ target, hosts }: PlainHttpProps) => {
  if (target === null) return null;
  return (
    <Section title="Plain http">
      <Stack gap={8} className="dim">
        {target !== "ios" && <Android hosts={hosts.length > 0 ? hosts : ["192.168.1.10"]} />}
        {target !== "android" && <Ios phone={target === "phone"} />}
      </Stack>
    </Section>
  );
};
