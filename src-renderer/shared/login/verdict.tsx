/** Why a login stands as it does, and what to do, in one sentence or two. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Passcode } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { lengthWords, many } from "#contract/words/words.ts";
import { passcodeList, useApps } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { useRealNow } from "../../ui/parts.tsx";
import { clockWords, leftWords } from "../../ui/words.ts";
import { useUnknownApp } from "../request/create-app.tsx";
import { outcomeWords } from "../request/query.ts";
import type { Standing, StandingKind } from "./standing.ts";
import type { Story } from "./stories.ts";
import { slipWords } from "./typed-digits.ts";

interface VerdictProps {
  readonly story: Story;
  readonly standing: Standing;
}

const useTriesLeft = ({ appId }: Story, code: Passcode | undefined): string => {
  const { maxAttempts } = effectiveSettings(useApps().appOf(appId)?.settings ?? {}).passcode;
  return code === undefined
    ? ""
    : ` ${many(Math.max(0, maxAttempts - code.attempts - (code.earlierAttempts ?? 0)), "try", "tries")} left.`;
};

/** A newer code of the same user replaced it. */
const Replaced = ({ story }: Pick<VerdictProps, "story">) => {
  const { address, hrefWith } = useAddress();
  const [code] = story.passcodes.slice(-1);
  const { data } = useQuery(passcodeList.query(address.app));
  const newer = data?.items.findLast(({ userId, seq }) => userId === code?.userId && seq > code.seq);
  if (newer === undefined) return "A newer code was sent. Only that one works.";
  return (
    <>
      <Link className="link" href={hrefWith({ id: newer.id })}>
        A newer code
      </Link>{" "}
      was sent at {clockWords(newer.createdAt)}. Only that one works.
    </>
  );
};

/** @see the file */
export const VerdictWords = ({ story, standing }: VerdictProps) => {
  const [last, code] = [story.rows.at(-1), story.passcodes.at(-1)];
  const tries = useTriesLeft(story, code);
  const unknown = useUnknownApp(last);
  const realNow = useRealNow();
  const typed = code?.tried.at(-1);
  const after = code === undefined ? 0 : code.tried.filter((one) => one !== code.code).length;
  const words: Readonly<Record<StandingKind, () => ReactNode>> = {
    waiting: () => `Waiting for the code.${tries}`,
    wrong: () =>
      (last?.reason === "passcode_replaced" ? "That was an older code." : slipWords(typed ?? "", code?.code ?? "")) +
      tries,
    signedIn: () =>
      `Signed in${last === undefined ? "" : ` at ${clockWords(last.at)}`}${after > 0 ? ` after ${many(after, "wrong code")}` : ""}.`,
    signedUp: () => "New here: signed up without a code. The next request sends one.",
    expired: () => {
      const life = code && lengthWords((Date.parse(code.expiresAt) - Date.parse(code.createdAt)) / 1_000);
      return `It expired after ${life}${after > 0 ? "" : ", unused"}.`;
    },
    replaced: () => <Replaced story={story} />,
    fixed: () => "Fixed code: it never expires and can be used again.",
    late: () => `Arrives in ${leftWords(Date.parse(code?.arrivesAt ?? "") - realNow)}, as simulated.`,
    undelivered: () => "Kept back, as simulated. Your app should offer another.",
    lost: () =>
      last?.method === "PUT"
        ? "Signed in, but the app never heard. It should offer a new code, not repeat."
        : "Carried out, but the app never heard.",
    locked: () => "Too many wrong codes. Only a new code works.",
    failed: () => {
      // The app that was meant comes first.
      if (unknown !== undefined && last?.advice[0]?.code !== "near_app")
        return (
          <>
            There is no app <bdi className="mono">{unknown.appId}</bdi>. Create it, or send an existing id.
          </>
        );
      return last && <bdi>{last.advice[0]?.text ?? `${outcomeWords(last)}.`}</bdi>;
    },
  };
  return words[standing.kind]();
};
