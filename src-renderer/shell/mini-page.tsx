import { Group, Stack } from "@mantine/core";
import type { Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { nameOf, useProfile } from "../api/queries.ts";
import type { Connection } from "../api/stream.ts";
import { useLive, useTitle } from "../shared/arrival/use-live.ts";
import { useNewestCode } from "../shared/login/use-logins.ts";
import { Announcer, TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { BigCode, useCopy } from "../ui/code.tsx";
import { useKeys } from "../ui/keys.ts";
import { Countdown, useNow, useTicks } from "../ui/parts.tsx";
import { SCREEN_WORDS } from "./screens.tsx";

const Newest = ({ passcode }: { readonly passcode: Passcode }) => {
  const { appId, userId, to, code } = passcode;
  const nowMs = useNow(appId);
  const { copied, copy } = useCopy();
  const copyCode = (): unknown => copy(code, "Code");
  useKeys({ c: copyCode });
  return (
    <>
      <p className="dim cut">
        <bdi>{nameOf(useProfile(appId, userId))}</bdi> · <bdi>{recipientText(to)}</bdi>
      </p>
      <BigCode code={code} look="live" />
      <Group justify="space-between">
        <TextButton variant="filled" keys="c" onClick={copyCode} label={copied ? "Copied" : "Copy code"} />
        <Countdown nowMs={nowMs} {...passcode} />
      </Group>
    </>
  );
};

const STATES: Readonly<Record<Connection, string>> = {
  connecting: "Connecting…",
  open: "No active code",
  away: "Disconnected from Stagedoor",
};

/** The newest active code in a small window: next to a phone, or above all other windows. */
export const MiniPage = () => {
  useTicks();
  const connection = useLive();
  const { app } = useAddress().address;
  const newest = useNewestCode(app);
  useTitle(SCREEN_WORDS.mini.word, true, app);
  return (
    <Stack
      component="main"
      h="100dvh"
      p={16}
      gap={10}
      justify="center"
      style={{ overflow: "auto", containerType: "inline-size" }}
    >
      <h1 className="spoken">{SCREEN_WORDS.mini.word}</h1>
      {newest && <Newest passcode={newest} />}
      <p className={newest && connection === "open" ? "spoken" : "dim"} data-testid="connection">
        {newest && connection === "open" ? "Running" : STATES[connection]}
      </p>
      <Announcer />
    </Stack>
  );
};
