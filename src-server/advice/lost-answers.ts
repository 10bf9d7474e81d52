/** Which earlier request used the code of a refused PUT, or was the same POST, and whether its client heard. */
import type { Advice } from "#contract/control/requests.ts";
import { lengthWords } from "#contract/words/words.ts";
import type { Exchange } from "#http/traffic/exchange.ts";
import type { RequestLog } from "#http/traffic/request-log.ts";

/** Within so many milliseconds a used code is the same press, or the same stack, once more; later it is typed again. */
const TWICE_MS = 10_000;
/** Up to so many milliseconds are not said in seconds. */
const MOST_MS = 2_000;

/** Where earlier requests are looked up. */
export type Rows = Pick<RequestLog, "newest" | "row">;

const msBetween = (first: Exchange, row: Exchange): number => Math.max(0, Math.round(row.startedMs - first.startedMs));

const msWords = (ms: number): string => (ms < MOST_MS ? `${ms} ms` : lengthWords(Math.round(ms / 1_000)));

/** @returns what the service made of a request, whatever its client got. */
const outcomeOf = ({ status, reason, carriedOut }: Exchange): { status: number; reason: string | null } =>
  carriedOut ?? { status, reason };

const hasWorked = (row: Exchange): boolean => {
  const { status, reason } = outcomeOf(row);
  return status >= 200 && status < 300 && reason === null;
};

const codeIn = ({ login }: Exchange): string => (login?.typed ?? "").replace(/^0+/, "");

/** Whether a fault sent the first one once more: one client, which got the second response. */
const isOfOneFault = (first: Exchange, row: Exchange): boolean =>
  row.fault !== null && row.fault === first.fault && row.repeats === first.id;

const lostWords = ({ status, left }: Exchange): string => {
  if (left) return "the client left before the response";
  return `the response was lost: the client got ${status === 0 ? "no response" : `status ${status} instead`}`;
};

const onUsedCode = (row: Exchange, rows: Rows): Advice | undefined => {
  const first = rows.newest(
    (one) =>
      one.method === "PUT" &&
      one.listener === "auth" &&
      one.appId === row.appId &&
      one.userId === row.userId &&
      codeIn(one) === codeIn(row) &&
      hasWorked(one),
  );
  if (first === undefined) return undefined;
  const { status } = outcomeOf(first);
  const ms = msBetween(first, row);
  const isTwice = isOfOneFault(first, row);
  if (first.carriedOut !== null && !isTwice)
    return {
      code: "answer_lost",
      text: `Request ${first.id} used the code ${msWords(ms)} before. It was carried out with status ${status}, but ${lostWords(first)}. After a lost response, request a new code with a POST at once, and do not send the PUT again.`,
    };
  if (isTwice || ms <= TWICE_MS) {
    const heard = isTwice ? "the client did not get that response" : "that response was sent";
    return {
      code: "sent_twice",
      text: `The same PUT came ${msWords(ms)} before (request ${first.id}), and used the code with status ${status}; ${heard}. Send each PUT once, and request a new code with a POST at once if no session came.`,
    };
  }
  return {
    code: "passcode_used",
    text: `Request ${first.id} used the code ${msWords(ms)} before; its response, status ${status}, was sent. A code works once: request a new one with a POST.`,
  };
};

const onRepeatedPost = (row: Exchange, rows: Rows): Advice | undefined => {
  const first = row.repeats === null ? undefined : rows.row(row.repeats);
  if (first === undefined || first.carriedOut === null || !hasWorked(first)) return undefined;
  const isTwice = isOfOneFault(first, row);
  const came = `The same POST came ${msWords(msBetween(first, row))} before (request ${first.id})`;
  const { status } = outcomeOf(first);
  const then = status === 202 ? "Only the newest code works." : "That one signed the user up.";
  return isTwice
    ? { code: "sent_twice", text: `${came}, and was carried out with status ${status}. ${then}` }
    : {
        code: "answer_lost",
        text: `${came}. It was carried out with status ${status}, but ${lostWords(first)}. ${then}`,
      };
};

/** @returns which request was carried out before this one, if this one was sent because no one heard of that, or twice. */
export const adviceOnRepetition = (row: Exchange, rows: Rows): Advice | undefined => {
  if (row.operation === "startSession")
    return row.status >= 200 && row.status < 300 ? onRepeatedPost(row, rows) : undefined;
  // A fault can also give this reason, without anything that used the code.
  const isReal = row.fault === null || row.repeats !== null;
  return row.reason === "passcode_used" && isReal && row.userId !== null ? onUsedCode(row, rows) : undefined;
};
