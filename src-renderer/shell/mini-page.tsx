import { Group, Stack } from "@mantine/core";
import type { Passcode } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { useLiveList } from "../api/live-list.ts";
import { nameOf, passcodeList, useProfile } from "../api/queries.ts";
import type { Connection } from "../api/stream.ts";
import { BigCode, Life } from "../places/codes/hero.tsx";
import classes from "../places/codes/inbox.module.css";
import { useLive, useTitle } from "../shared/arrival/use-live.ts";
import { isAlive, standingAt } from "../shared/login/passcode-status.ts";
import { Announcer, TextButton } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { useCopy } from "../ui/code.tsx";
import { useKeys } from "../ui/keys.ts";
import { useNow, useTicks } from "../ui/parts.tsx";
import { SCREEN_WORDS } from "./screens.tsx";

const Newest = ({ passcode }: { readonly passcode: Passcode }) => {
  const { appId, userId, to, code } = passcode;
  const profile = useProfile(appId, userId);
  const nowMs = useNow(appId);
  const standing = standingAt(passcode, nowMs, profile);
  const { copied, copy } = useCopy();
  const copyCode = (): unknown => copy(code, "Code");
  useKeys({ c: copyCode });
  return (
    <>
      <p className="dim">
        <bdi className={classes["who"]}>{nameOf(profile)}</bdi> · <bdi>{recipientText(to)}</bdi>
      </p>
      <BigCode code={code} standing={standing} />
      <Group justify="space-between">
        <TextButton
          variant={isAlive(standing) ? "filled" : "default"}
          keys="c"
          onClick={copyCode}
          label={copied ? "Copied" : "Copy code"}
        />
        <Life passcode={passcode} standing={standing} nowMs={nowMs} />
      </Group>
    </>
  );
};

const STATES: Readonly<Record<Connection, string>> = {
  connecting: "Connecting…",
  open: "No codes yet",
  away: "Disconnected from Stagedoor",
};

/** The newest code in a small window: beside a phone, or above all other windows. */
export const MiniPage = () => {
  useTicks();
  const connection = useLive();
  const { app } = useAddress().address;
  const newest = useLiveList(passcodeList, app, false).data?.items[0];
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
