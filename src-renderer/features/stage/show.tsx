import { Group } from "@mantine/core";
import { useIdle } from "@mantine/hooks";
import { useEffect, useMemo, useRef } from "react";
import { navigate } from "wouter/use-browser-location";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { Announcer, complain } from "../../ui/action.tsx";
import { useKeys } from "../../ui/keys.ts";
import { type Acts, actsOf } from "./acts.ts";
import { Audience } from "./audience.tsx";
import { Card } from "./card.tsx";
import { CodePart, NoCode, OtherCodes } from "./code-part.tsx";
import { Foot, type StageKey } from "./foot.tsx";
import { Phone } from "./phone.tsx";
import { play } from "./play.ts";
import room from "./room.module.css";
import { Room, useGuests } from "./room.tsx";
import { Cast, Scenes } from "./scenes-part.tsx";
import classes from "./stage.module.css";
import type { StageApp } from "./stage-app.ts";
import { useStage } from "./stage-store.ts";
import { useLogin } from "./use-login.ts";
import { usePhone } from "./use-phone.ts";
import { words } from "./words.ts";

/** The buttons disappear when the pointer has not moved for this long, in milliseconds. */
const REST_MS = 4_000;
const timeOfDay = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** With the host name of the console, because the policies of console and auth name each other that way. */
const demoOf = (authUrl: string, appId: string): string => {
  const url = new URL(`/emulator/demo/?appId=${encodeURIComponent(appId)}`, authUrl);
  url.hostname = location.hostname;
  return url.href;
};

const leave = (): void => navigate("/inbox");
const tried = (act: () => unknown) => (): void => void Promise.resolve(act()).catch(complain);

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
  const { app, personas } = stage;
  const { phone, field, blurred, offline, audience, guests: showsRoom, keysStay } = useStage();
  const frame = useRef<HTMLIFrameElement>(null);
  const src = demoOf(authUrl, app.appId);
  const { send, loads, onLoad } = usePhone(frame, src, isAway);
  const acts = useMemo(() => actsOf(stage, frame, send, speed || 1), [stage, send, speed]);
  const login = useLogin(app, personas);
  const { passcode, standing, nowMs } = login;
  const guests = useGuests(app.appId);
  const waiting = guests.filter(({ state }) => state === "code").length;

  useEffect(() => {
    if (speed <= 0) return;
    const end = new AbortController();
    void play(acts, personas.length, speed, end.signal);
    return () => end.abort();
  }, [acts, personas.length, speed]);

  const toggle = (name: Parameters<Acts["toggle"]>[0]) => () => acts.toggle(name);
  const keys: readonly StageKey[] = [
    { key: " ", cap: "Space", label: words().doType, act: tried(acts.type) },
    { key: "w", cap: "W", label: words().doTypeWrong, act: tried(acts.typeWrong) },
    { key: "f", cap: "F", label: words().doFail, act: tried(acts.fail), on: login.willFail },
    { key: "t", cap: "T", label: words().doExpire, act: tried(acts.expire) },
    { key: "o", cap: "O", label: words().doOffline, act: toggle("offline"), on: offline },
    { key: "b", cap: "B", label: words().doBlur, act: toggle("blurred"), on: blurred },
    { key: "q", cap: "Q", label: words().doAudience, act: toggle("audience"), on: audience },
    { key: "g", cap: "G", label: words().doGuests, act: toggle("guests"), on: showsRoom },
    { key: "r", cap: "R", label: words().doReset, act: tried(acts.reset) },
    {
      key: "escape",
      cap: "Esc",
      label: words().leave.toLowerCase(),
      act: audience ? toggle("audience") : showsRoom ? toggle("guests") : leave,
    },
  ];
  const persona = (at: number): void => tried(() => acts.persona(at))();
  useKeys({
    ...Object.fromEntries(keys.flatMap(({ key, act }) => [key, key.toUpperCase()].map((name) => [name, act]))),
    // It would also press the focused button.
    " ": () => (document.activeElement?.matches("button, a") ? false : tried(acts.type)()),
    ...Object.fromEntries(personas.map((_one, at) => [`${at + 1}`, () => persona(at)])),
    "?": toggle("keysStay"),
  });
  const rests = useIdle(REST_MS, { initialState: false, events: ["pointermove", "pointerdown"] });

  const { passcode: passcodes, brand } = effectiveSettings(app.settings);
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
          {login.willFail && <span>{words().nextFails}</span>}
          {offline && <span>{words().phoneOffline}</span>}
          {isAway && passcode && <span>{words().away[0]}</span>}
        </Group>
        <p>
          <bdi>{brand.name ?? app.name}</bdi> · {isOpen ? words().openToNetwork : words().onThisMachine}
        </p>
      </header>
      {audience || showsRoom ? (
        <div className={room["half"]}>
          {audience && <Audience appId={app.appId} close={toggle("audience")} />}
          {(showsRoom || guests.length > 0) && <Room guests={guests} />}
        </div>
      ) : (
        <div className={classes["play"]} style={{ "--wide": passcodes.length + 0.72 }}>
          {passcode && standing ? (
            <CodePart passcode={passcode} profile={login.profile} standing={standing} nowMs={nowMs} />
          ) : (
            <NoCode
              said={isAway ? words().away : words().hints[phone]}
              digits={passcodes.fixed?.length ?? passcodes.length}
            />
          )}
          {phone === "idle" && !passcode && login.scenes.length === 0 ? (
            <Cast personas={personas} />
          ) : (
            <Scenes scenes={login.scenes} secrets={login.secrets} now={login.now} />
          )}
          <OtherCodes passcodes={login.others} more={waiting - login.others.length} />
        </div>
      )}
      <Foot keys={keys} personas={personas} current={login.userId} onPersona={persona} />
      <Announcer />
    </main>
  );
};
