/** Present: the phone, its newest code and its login, side by side. */
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useMemo, useRef, useState } from "react";
import type { Passcode } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { many } from "#contract/words/words.ts";
import { useClock } from "../../api/clock.ts";
import { useFaults } from "../../api/faults.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, profileQuery } from "../../api/queries.ts";
import { wrongAttempts } from "../../shared/login/passcode-status.ts";
import { codeStandingOf, isOpen } from "../../shared/login/standing.ts";
import { TextButton } from "../../ui/action.tsx";
import { Code } from "../../ui/code.tsx";
import { useNow } from "../../ui/parts.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import { useLasting } from "../../ui/use-lasting.ts";
import { actsOf, nextFault, ownOf, say, usePresent } from "./acts.ts";
import { KeyRow, usePresentKeys } from "./key-row.tsx";
import { LoginSteps } from "./login-steps.tsx";
import { HINTS, NewestCode, NoCode, type Words } from "./newest-code.tsx";
import type { OwnApp } from "./own-app.ts";
import { Phone, usePhone } from "./phone.tsx";
import classes from "./present.module.css";

const demoUrl = (base: string, appId: string): URL =>
  new URL(`/emulator/demo/?appId=${encodeURIComponent(appId)}`, base);
/** On this machine with the host name of the console: the policies of console and auth name each other that way. */
const framedUrl = (authUrl: string, appId: string): string => {
  const url = demoUrl(authUrl, appId);
  if (isLoopbackUrl(authUrl)) url.hostname = location.hostname;
  return url.href;
};

/** How long the phone's page may take, in milliseconds. */
const PATIENCE_MS = 5_000;
const AWAY: Words = ["Disconnected from Stagedoor", "Present resumes when Stagedoor is back."];
const FAILS: Words = ["The next request fails", "503 Service Unavailable"];
const NONE = [] as const;
/** How many codes of real phones are shown. */
const MOST = 3;

/** For real phones while the network is open: the QR code of the phone's app, and their codes, newest first. */
const RealPhones = ({ url, passcodes }: { readonly url: string; readonly passcodes: readonly Passcode[] }) => (
  <section className={classes["real"]} aria-label="Real phones">
    <QrCode url={url} />
    <div>
      <h2>Try it on a real phone</h2>
      <p>Join the same network and scan the code. Codes appear here.</p>
      <p className={`mono ${classes["wire"]}`}>{url}</p>
      <ul aria-label="Codes of real phones">
        {passcodes.slice(0, MOST).map(({ id, to, code }) => (
          <li key={id}>
            <bdi>{recipientText(to)}</bdi>{" "}
            <strong>
              <Code code={code} look="live" />
            </strong>
          </li>
        ))}
      </ul>
    </div>
  </section>
);

/** @returns the codes of the app: the phone's own, the newest of them with its user and how it stands, and all others. */
const useCodes = (appId: string) => {
  const own = usePresent((state) => state.own);
  useClock(appId);
  const nowMs = useNow(appId);
  const all = useLiveList(passcodeList, appId, false).data?.items ?? NONE;
  const mine = ownOf(all, own);
  const [newest] = mine;
  const { data: profile } = useQuery({
    ...profileQuery(appId, newest?.userId ?? ""),
    enabled: newest !== undefined,
  });
  const others = all.filter((one) => !mine.includes(one) && isOpen(codeStandingOf(one, nowMs, undefined)));
  return { nowMs, mine, newest, profile, standing: newest && codeStandingOf(newest, nowMs, profile), others };
};

/** @returns the keys' acts, and the phone that they act on. */
const useKeysAndPhone = (own: OwnApp, src: string, isAway: boolean, onQr: (shows?: false) => void) => {
  const frame: RefObject<HTMLIFrameElement | null> = useRef(null);
  const away = useRef(isAway);
  away.current = isAway;
  const take = usePresentKeys((key) => {
    if (key === "?") onQr();
    else if (key !== "Escape") acts.press(key);
    else {
      onQr(false);
      // From a field of the phone: the keys act again.
      frame.current?.blur();
      window.focus();
    }
  });
  const { send, loads, onLoad } = usePhone({ frame, src, isAway, onKey: take });
  const acts = useMemo(() => actsOf(own, send, () => away.current), [own, send]);
  return { acts, phoneKey: loads, phone: { frame, onLoad, src } };
};

interface PresentProps {
  readonly own: OwnApp;
  readonly authUrl: string;
  /** The auth URL for other machines; undefined: closed to them. */
  readonly openUrl: string | undefined;
  readonly isAway: boolean;
}

/** @see file */
export const Present = ({ own, authUrl, openUrl, isAway }: PresentProps) => {
  const { appId, name, settings } = own.app;
  const { phone, asksCode, said } = usePresent();
  const [showsQr, setShowsQr] = useState(false);
  const src = framedUrl(authUrl, appId);
  const onQr = (shows?: false): void => {
    if (shows === undefined && openUrl === undefined)
      say("The network is closed. Open it in Setup, or start with --lan.");
    else setShowsQr(shows ?? !showsQr);
  };
  const { acts, phoneKey, phone: linked } = useKeysAndPhone(own, src, isAway, onQr);
  const { nowMs, mine, newest, profile, standing, others } = useCodes(appId);
  const willFail = nextFault(useFaults(), appId) !== undefined;
  const isStuck = useLasting(phone === "loading" && !isAway, PATIENCE_MS);
  const { passcode, brand } = effectiveSettings(settings);
  const stands = (): Words | null => {
    if (willFail) return FAILS;
    if (!newest || !standing || standing.kind === "signedIn" || !asksCode || phone === "checking") return null;
    const left = passcode.maxAttempts - wrongAttempts(newest) - (newest.earlierAttempts ?? 0);
    return isOpen(standing) ? ["Waiting for the correct code", `${many(left, "attempt")} left`] : [standing.word, ""];
  };
  const stuck: Words = [
    "The phone does not respond",
    `It was expected at ${new URL(src).origin}. See --public-auth-url.`,
  ];
  return (
    <main className={classes["present"]} data-state={isAway ? "away" : phone}>
      <Phone key={phoneKey} {...linked} />
      <header className={classes["head"]}>
        <span className="lamp" aria-hidden="true" />
        <h1>
          <bdi>{brand.name ?? name}</bdi>
        </h1>
        <p role="status">{said || (isAway && newest ? AWAY[0] : "")}</p>
        {openUrl !== undefined && (
          <TextButton
            quiet
            keys="?"
            label={showsQr ? "Hide QR" : "Show QR"}
            aria-keyshortcuts="?"
            onClick={() => onQr()}
          />
        )}
        <TextButton quiet href="/codes" label="Leave" />
      </header>
      <div className={classes["play"]} style={{ "--wide": passcode.length + 0.72 }}>
        {showsQr && openUrl !== undefined ? (
          <RealPhones url={demoUrl(openUrl, appId).href} passcodes={others} />
        ) : (
          <>
            {newest && standing ? (
              <NewestCode passcode={newest} profile={profile} standing={standing} nowMs={nowMs} />
            ) : (
              <NoCode
                said={isAway ? AWAY : isStuck ? stuck : HINTS[phone]}
                digits={passcode.fixed?.length ?? passcode.length}
              />
            )}
            <LoginSteps
              appId={appId}
              who={profile?.name?.trim().split(/\s+/)[0] || "Someone"}
              passcodes={mine}
              now={stands()}
            />
          </>
        )}
      </div>
      <KeyRow next={acts.label()} willFail={willFail} press={acts.press} />
    </main>
  );
};
