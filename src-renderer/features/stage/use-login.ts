import { useQuery } from "@tanstack/react-query";
import type { App } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import { many } from "#contract/words.ts";
import { useClock } from "../../api/clock.ts";
import { useLiveList } from "../../api/live-list.ts";
import { faultList, isOn, passcodeList, profileQuery } from "../../api/queries.ts";
import { useNow } from "../../ui/parts.tsx";
import { endWords, isAlive, standingAt, wrongAttempts } from "../inbox/passcode-status.ts";
import { ownOf, ownRequests } from "./acts.ts";
import { scenesOf } from "./scenes.ts";
import type { Persona } from "./stage-app.ts";
import { useStage } from "./stage-store.ts";

/** How many codes of the audience are shown. */
const MOST_OTHERS = 4;
const NONE = [] as const;

/** @returns the phone's login as seen by the server, and the codes of other users. */
export const useLogin = (app: App, personas: readonly Persona[]) => {
  const { appId, settings, strategy } = app;
  const { own, since, field, phone } = useStage();
  useClock(appId);
  const nowMs = useNow(appId);
  const passcodes = useLiveList(passcodeList, appId, false).data?.items ?? NONE;
  const mine = ownOf(passcodes, own);
  const [passcode] = mine;
  const others = passcodes
    .filter((one) => !mine.includes(one) && standingAt(one, nowMs, undefined) === "active")
    .slice(0, MOST_OTHERS);
  const profile = useQuery({
    ...profileQuery(appId, passcode?.userId ?? ""),
    enabled: passcode !== undefined,
  }).data;
  const standing = passcode && standingAt(passcode, nowMs, profile);
  // A call without a response has no id that the phone could know.
  const rows = (useQuery(ownRequests(appId)).data?.items ?? []).filter(
    ({ id, status, at }) => own.includes(id) || (status === 0 && at > since),
  );
  const nameOf = (userId: string | null): string => {
    const name =
      personas.find((one) => one.userId === userId)?.name ?? (userId === profile?.userId ? profile?.name : null);
    return name?.split(" ")[0] || "Someone";
  };
  const faults = useQuery(faultList.query(null)).data?.items ?? NONE;
  const left = effectiveSettings(settings).passcode.maxAttempts - (passcode ? wrongAttempts(passcode) : 0);
  const waits = field !== null && standing !== undefined && phone !== "checking";
  const now: readonly [string, string] | null = !waits
    ? null
    : [
        isAlive(standing) ? "Waiting for the code" : endWords(standing),
        isAlive(standing) ? `${many(left, "attempt")} left` : "",
      ];
  const userId = passcode?.userId ?? rows.find((row) => row.userId !== null)?.userId ?? null;
  return {
    passcode,
    profile,
    standing,
    nowMs,
    others,
    userId,
    scenes: scenesOf(rows, app, mine, nameOf),
    secrets: [passcode?.to ?? "", nameOf(userId), ...personas.map((one) => one[strategy] ?? "")],
    now,
    willFail: faults.some((fault) => isOn(fault) && fault.match.appId === appId && fault.userId === null),
  };
};
