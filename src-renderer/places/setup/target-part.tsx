import { Box, Button, Group } from "@mantine/core";
import { useState } from "react";
import type { Status } from "#contract/control/status.ts";
import { emulator } from "../../api/emulator.ts";
import { baseUrls, type OfTarget, publicUrl, type Secure, TARGETS, targetOf } from "../../shared/network/targets.ts";
import { ActionButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { CodeBlock, CopyButton } from "../../ui/code.tsx";
import { Lines } from "../../ui/parts.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { Section } from "../../ui/screen.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { LanSwitch } from "./network-switches.tsx";
import { ReachCheck } from "./reach-check.tsx";

/** The URLs of the LAN with the QR code of one of them: a machine may have several addresses, and the phone sees one. */
const LanUrls = ({ lan, appId }: { readonly lan: readonly string[]; readonly appId: string }) => {
  const [chosen, setChosen] = useState(lan[0] ?? "");
  const url = lan.includes(chosen) ? chosen : (lan[0] ?? "");
  return (
    <Group gap={16} mt={16} align="flex-start">
      <QrCode url={`${url}/emulator/hello?appId=${encodeURIComponent(appId)}`} />
      <Box flex="1 1 240px" className="dim">
        <p>
          Scan with the phone’s camera. The page that opens confirms the connection, explains how to trust the
          certificate, and links to a demo app.
        </p>
        {lan.length > 1 && (
          <>
            <p>This machine has several addresses. Try each until the phone connects.</p>
            <Group mt={8}>
              {lan.map((one) => (
                <Button
                  key={one}
                  className="mono"
                  size="xs"
                  aria-pressed={one === url}
                  bd={one === url ? "1px solid var(--sd-accent)" : undefined}
                  onClick={() => setChosen(one)}
                >
                  {new URL(one).hostname}
                </Button>
              ))}
            </Group>
          </>
        )}
      </Box>
    </Group>
  );
};

/** What is done at a click where the tools of the platform are on this machine. */
const ToolButton = ({ target, isSecure }: Omit<OfTarget, "appId">) => {
  if (target === "android")
    return (
      <ActionButton label="Run adb reverse" act={() => emulator.connect.adbReverse()} says="adb reverse has run" />
    );
  if (target !== "ios" || !isSecure) return null;
  return (
    <ActionButton
      label="Trust the certificate in the simulator"
      act={() => emulator.connect.simulatorTrust()}
      says="The simulator trusts the certificate"
    />
  );
};

interface TargetPartProps extends Pick<Status, "urls"> {
  readonly secure: Secure | undefined;
  readonly appId: string;
}

/** The base URLs that fit where the client runs, and whether one has come through. */
export const TargetPart = ({ urls, secure, appId }: TargetPartProps) => {
  const { address, hrefWith } = useAddress();
  const target = targetOf(address.show);
  const everywhere = publicUrl(urls);
  const scanned = everywhere === undefined ? urls.lan : [everywhere];
  const [emulator] = everywhere === undefined ? baseUrls("android", urls, secure) : [];
  // The Android emulator's address is the hardest to guess, so it is visible without another click.
  const others = target === null && emulator ? [{ ...emulator, use: "For the Android emulator" }] : [];
  return (
    <Section title="Where does your app run?">
      <Tabs
        isAlone
        label="Where your app runs"
        of={TARGETS.map(([show, word]) => ({ word, href: hrefWith({ show }), chosen: show === target }))}
      />
      {target === "phone" && (
        <Box mt={12}>
          {everywhere === undefined && <LanSwitch />}
          {scanned.length > 0 && <LanUrls lan={scanned} appId={appId} />}
        </Box>
      )}
      <Lines columns="minmax(0, 1fr) auto">
        {[...baseUrls(target, urls, secure), ...others].map(({ url, use, before }, at) => (
          <li key={url}>
            <div>
              <Box component="span" className="mono" fz="clamp(18px, 3.4vw, 24px)" lh={4 / 3}>
                {url}
              </Box>
              <p className="dim">{use}</p>
            </div>
            <CopyButton text={url} what={`Base URL ${url}`} {...(at === 0 && { variant: "filled" })} />
            {before !== undefined && (
              <Box data-whole mt={8}>
                <CodeBlock what="adb command" text={before} />
              </Box>
            )}
          </li>
        ))}
      </Lines>
      <ToolButton target={target} isSecure={secure !== undefined} />
      <ReachCheck target={target} isSecure={secure !== undefined} />
    </Section>
  );
};
