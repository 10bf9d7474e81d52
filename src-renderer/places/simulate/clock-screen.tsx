import { Box, Button, Group, Stack, TextInput } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { noApp } from "#contract/words/not-found.ts";
import { lengthWords } from "#contract/words/words.ts";
import { useClock, useOwnClock } from "../../api/clock.ts";
import { clockQuery, nameOf, passcodeList, profileQuery, sessionList, useApps } from "../../api/queries.ts";
import { apartWords, kindOf, stateWords } from "../../shared/session/session-words.ts";
import { onSubmit, TextButton, textField } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { useKeys } from "../../ui/keys.ts";
import { Fact, Facts, StatusMark, useNow } from "../../ui/parts.tsx";
import { ActionsMenu, type RowAction } from "../../ui/row-actions.tsx";
import { Empty, Loaded, Page, Screen, Section } from "../../ui/screen.tsx";
import { clockWords, leftWords } from "../../ui/words.ts";
import { type ChangeProps, type ClockStep, forward, freezeAt, STEPS, useClockChange } from "./clock-change.tsx";
import { type Ending, JUMPS, momentsOf, nextEndings } from "./clock-state.ts";
import { MomentsPart } from "./moments-part.tsx";

const day = new Intl.DateTimeFormat("en-US", { dateStyle: "full" });

const NONE_ENDS: RowAction = { label: "No active codes or sessions", act: () => undefined, disabled: true };

/** The next expiries on this clock; each leads to its code or session. */
const Expirations = ({ endings, nowMs }: { readonly endings: readonly Ending[]; readonly nowMs: number }) => {
  const { go } = useAddress();
  const profiles = useQueries({ queries: endings.map(({ appId, userId }) => profileQuery(appId, userId)) });
  const items = endings.map(
    ({ id, kind, atMs }, at): RowAction => ({
      label: `${kind === "code" ? "Code for" : "Session of"} ${nameOf(profiles[at]?.data)}: in ${leftWords(atMs - nowMs)}`,
      act: () => go({ screen: kind === "code" ? "codes" : "users/sessions", id, show: null, q: "" }),
    }),
  );
  return <ActionsMenu label="Upcoming expirations" items={() => (items.length > 0 ? items : [NONE_ENDS])} />;
};

interface ClockFaceProps extends ChangeProps {
  readonly appId: string | null;
  readonly name: string;
  readonly endings: readonly Ending[];
}

const ClockFace = ({ appId, name, endings, busy, onStep }: ClockFaceProps) => {
  const clock = useClock(appId);
  const nowMs = useNow(appId);
  const instant = new Date(nowMs).toISOString();
  const kind = clock && kindOf(clock);
  const frozen = kind === "frozen";
  const isReal = kind === "real";
  const toggle = (): void => onStep(frozen ? STEPS.run : STEPS.freeze);
  useKeys({ f: toggle });
  if (clock === null) return null;
  return (
    <Section title={<bdi>{name}</bdi>}>
      <Box className="mono" fz={46} fw={700} lh="56px">
        <time dateTime={instant} title={instant} data-testid="clock-now">
          {clockWords(instant)}
        </time>
      </Box>
      <p className="dim">{day.format(nowMs)}</p>
      <p data-testid="clock-state">
        <StatusMark tone={isReal ? "ok" : "warn"}>
          {frozen ? `Frozen, ${apartWords(nowMs - Date.now())}` : stateWords(clock)}
        </StatusMark>
      </p>
      <Group mt={12}>
        <TextButton
          variant={isReal ? "filled" : "default"}
          disabled={busy}
          keys="f"
          onClick={toggle}
          label={frozen ? "Resume" : "Freeze"}
        />
        <TextButton
          variant={isReal ? "default" : "filled"}
          disabled={busy || isReal}
          title={isReal ? "The clock already shows real time." : undefined}
          onClick={() => onStep(STEPS.real)}
          label="Back to real time"
        />
        <Expirations endings={endings} nowMs={nowMs} />
      </Group>
    </Section>
  );
};

const Jumps = ({ busy, onStep }: ChangeProps) => (
  <Facts names={64}>
    {([1, -1] as const).map((way) => (
      <Fact key={way} name={way > 0 ? "Forward" : "Back"}>
        <Group>
          {JUMPS.map((seconds) => (
            <Button key={seconds} disabled={busy} onClick={() => onStep(forward(way * seconds))}>
              {way > 0 ? "+" : "−"}
              {lengthWords(seconds)}
            </Button>
          ))}
        </Group>
      </Fact>
    ))}
  </Facts>
);

/** Matches a date and time, such as `2026-12-31 23:59`, optionally with seconds. */
const LOCAL_TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/;

const FreezeAt = ({ busy, onStep }: ChangeProps) => {
  const [typed, setTyped] = useState("");
  const [tried, setTried] = useState(false);
  // Without a zone, `Date` parses it as local time.
  const atMs = LOCAL_TIME.test(typed.trim()) ? Date.parse(typed.trim().replace(" ", "T")) : Number.NaN;
  const wrong = Number.isNaN(atMs);
  const freeze = (): void => {
    setTried(wrong);
    if (!wrong) onStep(freezeAt(atMs));
  };
  return (
    <form noValidate {...onSubmit(freeze)}>
      <Group align="flex-end" mt={12}>
        <TextInput
          label="Freeze at a time"
          description="24-hour local time."
          placeholder="2026-12-31 23:59:30"
          error={tried && wrong ? "Enter a date and a time, such as 2026-12-31 23:59" : null}
          {...textField(typed, setTyped)}
        />
        <TextButton type="submit" disabled={busy} label="Freeze" />
      </Group>
    </form>
  );
};

const OtherClock = () => {
  const { hrefWith } = useAddress();
  const own = useOwnClock();
  const { appName } = useApps();
  if (own?.appId == null) return null;
  return (
    <p className="dim">
      <bdi>{appName(own.appId)}</bdi> has its own clock. A jump here moves it too; any other change overrides it.{" "}
      <Link className="link" href={hrefWith({ app: own.appId })}>
        View its clock
      </Link>
    </p>
  );
};

const MOST_ENDINGS = 8;

const Parts = ({ appId, name }: { readonly appId: string | null; readonly name: string }) => {
  const change = useClockChange();
  const nowMs = useNow(appId);
  const passcodes = useQuery(passcodeList.query(appId)).data?.items ?? [];
  const sessions = useQuery(sessionList.query(appId)).data?.items ?? [];
  const onStep = (step: ClockStep): void => {
    if (!change.isPending) change.mutate({ appId, step });
  };
  const common = { busy: change.isPending, onStep };
  return (
    <Page columns>
      <Stack gap={24}>
        <ClockFace
          appId={appId}
          name={name}
          endings={nextEndings(passcodes, sessions, nowMs, MOST_ENDINGS)}
          {...common}
        />
        {appId === null && <OtherClock />}
        <Section title="Jump">
          <Jumps {...common} />
          <FreezeAt {...common} />
        </Section>
      </Stack>
      <Stack gap={24}>
        <MomentsPart moments={momentsOf(passcodes, sessions, nowMs)} {...common} />
        <p className="dim">
          Codes, sessions, tokens and record times use this clock. When it goes back, expired codes and sessions are
          valid again. Waits, rate limits, timeouts and fault delays use real time, and so does your app, which may
          check a token’s expiry itself.
        </p>
      </Stack>
    </Page>
  );
};

/** The global clock or the selected app's: its state, and controls to change it. */
export const ClockScreen = () => {
  const { address, go } = useAddress();
  const clock = useQuery(clockQuery(address.app));
  const { list, appName } = useApps();
  const name = `Clock for ${address.app === null ? "all apps" : appName(address.app)}`;
  return (
    <Screen title="Clock">
      <Loaded of={{ ...clock, data: list.isPending ? undefined : clock.data }} what="The clock">
        {(shown) =>
          shown === null ? (
            <Empty title={noApp(address.app ?? "")}>
              <p>It may have been deleted. You can still use the clock for all apps.</p>
              <TextButton onClick={() => go({ app: null })} label="Show the clock for all apps" />
            </Empty>
          ) : (
            <Parts appId={address.app} name={name} />
          )
        }
      </Loaded>
    </Screen>
  );
};
