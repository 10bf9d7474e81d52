/** Present: the phone, its newest code and its login, side by side. */
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { many } from "#contract/words/words.ts";
import { useClock } from "../../api/clock.ts";
import { useFaults } from "../../api/faults.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, profileQuery } from "../../api/queries.ts";
import {
  isAlive,
  LOGIN_ENDS,
  type PasscodeStanding,
  standingAt,
  wrongAttempts,
} from "../../shared/login/passcode-status.ts";
import { TextButton } from "../../ui/action.tsx";
import { useNow } from "../../ui/parts.tsx";
import { useLasting } from "../../ui/use-lasting.ts";
import { actsOf, nextFault, ownOf } from "./acts.ts";
import { KeyRow, usePresentKeys } from "./key-row.tsx";
import { LoginSteps, useLines } from "./login-steps.tsx";
import { HINTS, NewestCode, NoCode, type Words } from "./newest-code.tsx";
import type { OwnApp } from "./own-app.ts";
import { Phone } from "./phone.tsx";
import classes from "./present.module.css";
import { say, usePresent } from "./present-store.ts";
import { RealPhones } from "./real-phones.tsx";
import { usePhone } from "./use-phone.ts";

const demoUrl = (base: string, appId: string): URL =>
  new URL(`/emulator/demo/?appId=${encodeURIComponent(appId)}`, base);
/** On this machine with the host name of the console: the policies of console and auth name each other that way. */
const framedUrl = (authUrl: string, appId: string): string => {
  const url = demoUrl(authUrl, appId);
  if (isLoopbackUrl(authUrl)) url.hostname = location.hostname;
  return url.href;
};

const timeOfDay = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
/** How long the phone's page may take, in milliseconds. */
const PATIENCE_MS = 5_000;
const AWAY: Words = ["Disconnected from Stagedoor", "Present resumes when Stagedoor is back."];
const FAILS: Words = ["The next request fails", "503 Service Unavailable"];
const NONE = [] as const;

interface PresentProps {
  readonly own: OwnApp;
  readonly authUrl: string;
  /** The auth URL for other machines; undefined: closed to them. */
  readonly openUrl: string | undefined;
  readonly isAway: boolean;
}

/** @see file */
export const Present = ({ own, authUrl, openUrl, isAway }: PresentProps) => {
  const { app } = own;
  const { appId } = app;
  const { phone, asksCode, own: requests, said } = usePresent();
  const [showsQr, setShowsQr] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  const away = useRef(isAway);
  away.current = isAway;
  const src = framedUrl(authUrl, appId);

  const toggleQr = (): void => {
    if (openUrl === undefined) say("The network is closed. Open it in Setup, or start with --lan.");
    else setShowsQr(!showsQr);
  };
  const take = usePresentKeys((key) => {
    if (key === "?") toggleQr();
    else if (key !== "Escape") press(key);
    else {
      setShowsQr(false);
      // From a field of the phone: the keys act again.
      frame.current?.blur();
      window.focus();
    }
  });
  const { send, loads, onLoad } = usePhone({ frame, src, isAway, onKey: take });
  const { press, next } = useMemo(() => actsOf(own, send, () => away.current), [own, send]);

  useClock(appId);
  const nowMs = useNow(appId);
  const all = useLiveList(passcodeList, appId, false).data?.items ?? NONE;
  const mine = ownOf(all, requests);
  const [passcode] = mine;
  const profile = useQuery({
    ...profileQuery(appId, passcode?.userId ?? ""),
    enabled: passcode !== undefined,
  }).data;
  const standing = passcode && standingAt(passcode, nowMs, profile);
  const willFail = nextFault(useFaults(), appId) !== undefined;
  const who = profile?.name?.trim().split(/\s+/)[0] || "Someone";
  const lines = useLines(appId, who, mine);
  const isStuck = useLasting(phone === "loading" && !isAway, PATIENCE_MS);

  const { passcode: passcodes, brand } = effectiveSettings(app.settings);
  const left = passcodes.maxAttempts - (passcode ? wrongAttempts(passcode) + (passcode.earlierAttempts ?? 0) : 0);
  const end = (of: PasscodeStanding): Words | null =>
    of === "used" ? null : [LOGIN_ENDS[of], isAlive(of) ? `${many(left, "attempt")} left` : ""];
  const now = willFail ? FAILS : standing && asksCode && phone !== "checking" ? end(standing) : null;
  const hint: Words = isAway
    ? AWAY
    : isStuck
      ? ["The phone does not respond", `It was expected at ${new URL(src).origin}. See --public-auth-url.`]
      : HINTS[phone];
  const others = all.filter((one) => !mine.includes(one) && standingAt(one, nowMs, undefined) === "active");
  return (
    <main className={classes["present"]} data-state={isAway ? "away" : phone}>
      <Phone
        key={loads}
        frame={frame}
        onLoad={onLoad}
        src={src}
        time={timeOfDay.format(nowMs)}
        passcode={passcode}
        isShown={asksCode && (standing === "active" || standing === "test")}
      />
      <header className={classes["head"]}>
        <h1>
          <span className={classes["lamp"]} aria-hidden="true" />
          <bdi>{brand.name ?? app.name}</bdi>
        </h1>
        <p className={classes["said"]} role="status">
          {said || (isAway && passcode ? AWAY[0] : "")}
        </p>
        {openUrl !== undefined && (
          <TextButton quiet keys="?" label={showsQr ? "Hide QR" : "Show QR"} aria-keyshortcuts="?" onClick={toggleQr} />
        )}
        <TextButton quiet href="/codes" label="Leave" />
      </header>
      <div className={classes["play"]} style={{ "--wide": passcodes.length + 0.72 }}>
        {showsQr && openUrl !== undefined ? (
          <RealPhones url={demoUrl(openUrl, appId).href} passcodes={others} />
        ) : (
          <>
            {passcode && standing ? (
              <NewestCode passcode={passcode} profile={profile} standing={standing} nowMs={nowMs} />
            ) : (
              <NoCode said={hint} digits={passcodes.fixed?.length ?? passcodes.length} />
            )}
            <LoginSteps lines={lines} now={now} />
          </>
        )}
      </div>
      <KeyRow next={next().label} willFail={willFail} press={press} />
    </main>
  );
};
