import { Box, Button, Group, Stack } from "@mantine/core";
import { useState } from "react";
import { encode } from "uqr";
import type { Status } from "#contract/status.ts";
import { useAddress } from "../../ui/address.ts";
import { FilterChips } from "../../ui/chips.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Lines } from "../../ui/lines.tsx";
import { Section } from "../../ui/page.tsx";
import { ReachCheck } from "./reach-check.tsx";
import { baseUrls, TARGETS, targetOf } from "./targets.ts";

/** Modules of white around a QR code, which readers need. */
const BORDER = 2;

/** A URL for the camera of a phone: dark on white in either theme, since not every camera reads the other way round. */
const QrCode = ({ url }: { readonly url: string }) => {
  const { data, size } = encode(url, { border: BORDER, ecc: "M" });
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : []))).join("");
  return (
    <svg
      width={160}
      height={160}
      role="img"
      aria-label={`QR code of ${url}`}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#101216" />
    </svg>
  );
};

/** The LAN is closed: how to open it. */
const LanClosed = () => (
  <Stack gap={8} mt={12} className="dim">
    <p>The LAN is closed: only this machine can reach Stagedoor. To let in a phone on the same Wi-Fi, restart with:</p>
    <CodeBlock what="Command" text="npm start -- --lan" />
    <p>
      If installed: <code className="mono">stagedoor start --lan</code>. This opens only the auth listener; profiles and
      this page stay on this machine. An Android phone on a USB cable needs no LAN: see adb reverse under Android
      emulator.
    </p>
  </Stack>
);

/** The URLs of the LAN with the QR code of one of them: a machine may have several addresses, and the phone sees one. */
const LanUrls = ({ lan }: { readonly lan: readonly string[] }) => {
  const [chosen, setChosen] = useState(lan[0] ?? "");
  const url = lan.includes(chosen) ? chosen : (lan[0] ?? "");
  return (
    <Group gap={16} mt={16} align="flex-start">
      <QrCode url={url} />
      <Box flex="1 1 240px" className="dim">
        <p>
          Scan it with the phone’s camera. Its browser shows a JSON error, and the line below confirms that the phone
          got through.
        </p>
        {lan.length > 1 && (
          <>
            <p>This machine has several addresses. Try each until the phone gets through.</p>
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

/** The base URLs that fit where the client runs, and whether one has come through. */
export const TargetPart = ({ urls }: Pick<Status, "urls">) => {
  const { address } = useAddress();
  const target = targetOf(address.show);
  const [emulator] = baseUrls("android", urls);
  // The address of the emulator is the one that nobody guesses: it is there without a further click.
  const others = target === null && emulator ? [{ ...emulator, use: "For the Android emulator" }] : [];
  return (
    <Section title="Where does your app run?">
      <FilterChips label="Where your app runs" choices={TARGETS} keepId />
      <Lines columns="minmax(0, 1fr) auto">
        {[...baseUrls(target, urls), ...others].map(({ url, use, before }) => (
          <li key={url}>
            <div>
              <span className="mono large">{url}</span>
              <p className="dim">{use}</p>
            </div>
            <CopyButton text={url} what={`Base URL ${url}`} />
            {before !== undefined && (
              <Box data-whole mt={8}>
                <CodeBlock what="adb command" text={before} />
              </Box>
            )}
          </li>
        ))}
      </Lines>
      {target === "phone" && (urls.lan.length === 0 ? <LanClosed /> : <LanUrls lan={urls.lan} />)}
      <ReachCheck />
    </Section>
  );
};
