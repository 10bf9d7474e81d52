import { Group } from "@mantine/core";
import { useIdle } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import { navigate } from "wouter/use-browser-location";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { Announcer, complain } from "../../ui/action.tsx";
import { actsOf } from "./acts.ts";
import { Audience } from "./audience.tsx";
import { Card } from "./card.tsx";
import { CodePart, NoCode, OtherCodes } from "./code-part.tsx";
import { Foot, type StageKey } from "./foot.tsx";
import { openNotes, useNotes } from "./notes-channel.ts";
import { notesOf } from "./notes-state.ts";
import { Phone } from "./phone.tsx";
import { play } from "./play.ts";
import room from "./room.module.css";
import { Room, useGuests } from "./room.tsx";
import { Cast, MOST_CAST, Scenes } from "./scenes-part.tsx";
import classes from "./stage.module.css";
import type { StageApp } from "./stage-app.ts";
import { say, useStage } from "./stage-store.ts";
import { showStepsOf } from "./steps.ts";
import { noPhone, useStuck } from "./stuck.ts";
import { useLogin } from "./use-login.ts";
import { usePhone } from "./use-phone.ts";
import { useStageKeys } from "./use-stage-keys.ts";
import { words } from "./words.ts";

/** The buttons disappear when the pointer has not moved for this long, in milliseconds. */
const REST_MS = 4_000;
const timeOfDay = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** On this machine with the host name of the console: the policies of console and auth name each other that way. */
const demoOf = (authUrl: string, appId: string): string => {
  const url = new URL(`/emulator/demo/?appId=${encodeURIComponent(appId)}`, authUrl);
  if (isLoopbackUrl(authUrl)) url.hostname = location.hostname;
  return url.href;
};

const DIGITS = [..."123456789"];

interface ShowProps {
  readonly stage: StageApp;
  readonly authUrl: string;
  readonly isOpen: boolean;
  readonly isAway: boolean;
  /** The speed of automatic play as a factor; 0: off. */
  readonly speed: number;
}

/** The phone, its code and the wire, side by side. */
export const Show = ({ stage, authUrl, isOpen, isAway, speed }: ShowProps) => {
  const { app, personas, nameless } = stage;
  const { phone, field, blurred, offline, audience, guests: showsRoom, keysStay, said } = useStage();
  const frame = useRef<HTMLIFrameElement>(null);
  const src = demoOf(authUrl, app.appId);
  const { send, loads, onLoad } = usePhone(frame, src, isAway);
  const acts = useMemo(() => actsOf(stage, frame, send, speed || 1), [stage, send, speed]);
  const login = useLogin(app, personas);
  const isStuck = useStuck(phone === "loading" && !isAway);
  const { passcode, standing, nowMs } = login;
  const guests = useGuests(app.appId);
  const waiting = guests.filter(({ state }) => state === "code").length;

  useEffect(() => {
    if (speed <= 0) return;
    const end = new AbortController();
    void play(acts, personas.length, speed, end.signal);
    return () => end.abort();
  }, [acts, personas.length, speed]);

  const away = useRef(isAway);
  away.current = isAway;
  const steps = useMemo(() => showStepsOf(stage, acts, send, () => away.current), [stage, acts, send]);
  const leaveOrClose = (): unknown => (audience || showsRoom ? acts.closeHalf() : navigate("/inbox"));
  const { press, next, back } = steps;
  const step = (cap: string, label: string, more: Partial<StageKey> = {}): StageKey => ({
    cap,
    label,
    act: () => void press(cap).catch(complain),
    ...more,
  });
  const keys: readonly StageKey[] = [
    step("Space", words().doType, { isMain: true }),
    step("W", words().doTypeWrong),
    step("F", words().doFail, { on: login.willFail }),
    step("T", words().doExpire),
    step("O", words().doOffline, { on: offline }),
    step("B", words().doBlur, { on: blurred }),
    step("Q", words().doAudience, { on: audience }),
    step("G", words().doGuests, { on: showsRoom }),
    step("R", words().doReset),
    { cap: "PgUp", label: words().back, act: back, isOfClicker: true },
    { cap: "PgDn", label: words().next, act: next, isOfClicker: true },
    { cap: "N", label: words().doNotes, act: () => openNotes(app.appId) || say(words().notesBlocked) },
    { cap: "Esc", label: words().leave.toLowerCase(), act: leaveOrClose },
    { cap: "?", label: words().doKeys, act: () => acts.toggle("keysStay"), on: keysStay, isMain: true },
  ];
  const persona = (at: number): unknown => press(`${at + 1}`);
  const byName: Readonly<Record<string, () => unknown>> = {
    ...Object.fromEntries(keys.map(({ cap, act }) => [cap, act])),
    ...Object.fromEntries(DIGITS.map((digit) => [digit, () => press(digit)])),
    next,
    back,
  };
  useStageKeys(byName);
  useNotes(
    app.appId,
    notesOf(stage, steps.upcoming(), keys, isAway ? words().away[0] : words().hints[phone][0], passcode?.code ?? ""),
    (name) => (Object.hasOwn(byName, name) ? byName[name]?.() : undefined),
  );
  const rests = useIdle(REST_MS, { initialState: false, events: ["pointermove", "pointerdown"] });

  const { passcode: passcodes, brand } = effectiveSettings(app.settings);
  const isBetween = phone === "idle" && !passcode && login.scenes.length === 0;
  const isMessage = field !== null && standing !== undefined && (standing === "active" || standing === "test");
  return (
    <main
      className={classes["stage"]}
      data-state={isAway ? "away" : phone}
      data-quiet={(rests && !keysStay) || undefined}
      data-blurred={blurred || undefined}
    >
      <Card keys={keys} personas={personas} />
      <Phone
        key={loads}
        frame={frame}
        onLoad={onLoad}
        src={src}
        time={timeOfDay.format(nowMs)}
        offline={offline}
        passcode={passcode}
        isShown={isMessage}
      />
      <header className={classes["head"]}>
        <Group component="h1" gap="0.6em" c="var(--sd-text)">
          <span className={classes["lamp"]} aria-hidden="true" />
          Stagedoor
        </Group>
        <Group component="p" gap="1em" c="var(--sd-accent-text)" fw={600} role="status">
          {said !== "" && <span>{said}</span>}
          {login.willFail && <span>{words().nextFails}</span>}
          {offline && <span>{words().phoneOffline}</span>}
          {isAway && passcode && <span>{words().away[0]}</span>}
        </Group>
        <p hidden={said !== ""}>
          <bdi>{brand.name ?? app.name}</bdi> · {isOpen ? words().openToNetwork : words().onThisMachine}
        </p>
      </header>
      {audience || showsRoom ? (
        <div className={room["half"]}>
          {audience && <Audience appId={app.appId} close={acts.closeHalf} />}
          {(showsRoom || guests.length > 0) && <Room guests={guests} />}
        </div>
      ) : (
        <div className={classes["play"]} style={{ "--wide": passcodes.length + 0.72 }}>
          {passcode && standing ? (
            <CodePart
              passcode={passcode}
              profile={login.profile}
              standing={standing}
              nowMs={nowMs}
              isLastTried={login.isLastTried}
            />
          ) : (
            <NoCode
              said={isAway ? words().away : isStuck ? noPhone(new URL(src).origin) : words().hints[phone]}
              digits={passcodes.fixed?.length ?? passcodes.length}
            />
          )}
          {isBetween ? (
            <Cast personas={personas} nameless={nameless} field={usernameField(app)} onPersona={persona} />
          ) : (
            <Scenes scenes={login.scenes} secrets={login.secrets} now={login.now} />
          )}
          <OtherCodes passcodes={login.others} more={waiting - login.others.length} />
        </div>
      )}
      <Foot
        keys={keys}
        showsAll={keysStay}
        isBlurred={blurred}
        personas={personas}
        above={isBetween && !(audience || showsRoom) ? MOST_CAST : 0}
        current={login.userId}
        onPersona={persona}
      />
      <Announcer />
    </main>
  );
};
