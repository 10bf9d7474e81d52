import type { Passcode } from "#client/index.ts";
import { useProfile } from "../../api/queries.ts";
import { Countdown, StatusMark, useNow, useRealNow } from "../../ui/parts.tsx";
import { leftWords } from "../../ui/words.ts";
import { STANDING_WORDS, standingAt } from "./passcode-status.ts";

/** When a delayed message arrives. */
const Arrival = ({ arrivesAt = "" }: Passcode) => {
  const left = Math.max(0, Date.parse(arrivesAt) - useRealNow());
  return <StatusMark tone="warn">{`Arrives in ${leftWords(left)}`}</StatusMark>;
};

/** The status of a passcode: the remaining time, or how it ended. */
export const PasscodeState = ({ passcode }: { readonly passcode: Passcode }) => {
  const nowMs = useNow(passcode.appId);
  const standing = standingAt(passcode, nowMs, useProfile(passcode.appId, passcode.userId));
  if (standing === "pending") return <Arrival {...passcode} />;
  if (standing === "active") return <Countdown nowMs={nowMs} {...passcode} />;
  const [tone, word] = STANDING_WORDS[standing];
  return <StatusMark tone={tone}>{word}</StatusMark>;
};
