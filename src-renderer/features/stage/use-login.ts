import { useQuery } from "@tanstack/react-query";
import type { App } from "#client/index.ts";
import type { PhoneState } from "#contract/control/stage-bridge.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { useClock } from "../../api/clock.ts";
import { useFaults } from "../../api/faults.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, profileQuery } from "../../api/queries.ts";
import { isAlive, type PasscodeStanding, standingAt, wrongAttempts } from "../../shared/login/passcode-status.ts";
import { useNow } from "../../ui/parts.tsx";
import { nextFault, ownOf, ownRequests } from "./acts.ts";
import { scenesOf, secretsIn } from "./scenes.ts";
import type { Persona } from "./stage-app.ts";
import { useStage } from "./stage-store.ts";
import { type Words, words } from "./words.ts";

/** How many codes of the audience are shown. */
const MOST_OTHERS = 4;
const NONE = [] as const;

/** @returns how a code stands; a fault may have refused it on the phone though it is good. */
const standingOf = (
  ...[passcode, nowMs, profile, phone]: [...Parameters<typeof standingAt>, PhoneState]
): PasscodeStanding => {
  const standing = standingAt(passcode, nowMs, profile);
  if (standing !== "active") return standing;
  return phone === "locked" ? "exhausted" : phone === "expired" ? "expired" : standing;
};

/** @returns the phone's login as seen by the server, and the codes of other users. */
export const useLogin = (app: App, personas: readonly Persona[]) => {
  const { appId, settings } = app;
  const { own, earlier, since, field, phone } = useStage();
  useClock(appId);
  const nowMs = useNow(appId);
  const passcodes = useLiveList(passcodeList, appId, false).data?.items ?? NONE;
  const mine = ownOf(passcodes, own);
  const [passcode] = mine;
  const others = passcodes
    .filter(
      (one) =>
        !mine.includes(one) && !earlier.includes(one.requestId ?? "") && standingAt(one, nowMs, undefined) === "active",
    )
    .slice(0, MOST_OTHERS);
  // A call without a response has no id that the phone could know.
  const rows = (useQuery(ownRequests(appId)).data?.items ?? []).filter(
    ({ id, status, at }) => own.includes(id) || (status === 0 && at > since),
  );
  const userId = passcode?.userId ?? rows.find((row) => row.userId !== null)?.userId ?? null;
  const profile = useQuery({ ...profileQuery(appId, userId ?? ""), enabled: userId !== null }).data;
  const standing = passcode && standingOf(passcode, nowMs, profile, phone);
  const nameOf = (id: string | null): string => {
    const name = personas.find((one) => one.userId === id)?.name ?? (id === profile?.userId ? profile?.name : null);
    return name?.split(" ")[0] || words().someone;
  };
  const faults = useFaults();
  const left =
    effectiveSettings(settings).passcode.maxAttempts -
    (passcode ? wrongAttempts(passcode) + (passcode.earlierAttempts ?? 0) : 0);
  // The service tells the phone so only at its next call (D24).
  const isLastTried = standing === "exhausted" && phone === "wrong";
  const waits = field !== null && standing !== undefined && phone !== "checking";
  const end = (of: PasscodeStanding): Words => [words().ends[of], isAlive(of) ? words().attemptsLeft(left) : ""];
  return {
    passcode,
    profile,
    standing,
    nowMs,
    others,
    userId,
    scenes: scenesOf(rows, app, mine, nameOf),
    secrets: [nameOf(userId), ...secretsIn(rows)].filter(Boolean).sort((a, b) => b.length - a.length),
    now: isLastTried ? words().lastTried : waits ? end(standing) : null,
    isLastTried,
    willFail: nextFault(faults, appId) !== undefined,
  };
};
