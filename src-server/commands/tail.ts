/** `stagedoor tail`: prints passcodes and requests live, from the event stream. */
import type { Client } from "#client/client.ts";
import type { RequestSummary } from "#client/events.ts";
import { StagedoorError } from "#client/index.ts";
import type { Passcode } from "#client/records.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, printable, type Text } from "#server/plumbing/io.ts";
import { timeOfDay, zoneWords } from "./start-text.ts";

type LoggedRequest = Omit<RequestSummary, "more">;

const BOLD = 1;
const clockTime = (instant: string): string => timeOfDay(new Date(instant));

const passcodeLine = ({ createdAt, code, to, appId, delivery }: Passcode): Text => {
  const failed = delivery === "failed" ? "  (not delivered)" : "";
  return [printable(`${clockTime(createdAt)}  `), { text: code, style: BOLD }, printable(`  ${to}  ${appId}${failed}`)];
};

/** @returns a row of the request log as one line. */
export const requestLine = ({ at, method, path, status, reason, appId, durationMs }: LoggedRequest): string => {
  const more = [reason, appId].filter((word) => word !== null);
  return printable(`${[clockTime(at), method, path, status, ...more].join("  ")}  ${durationMs.toFixed(1)} ms`);
};

/** Additional rows to load beyond the count in an event, because more may have arrived since. */
const SPARE_ROWS = 100;

/** @returns all rows of an event, oldest first: the event itself only has the newest one. */
const rowsOf = async (client: Client, { more, ...newest }: RequestSummary): Promise<readonly LoggedRequest[]> => {
  if (more === 0) return [newest];
  const limit = Math.min(1_000, more + 1 + SPARE_ROWS);
  const { items } = await client.requests.list({ limit }).catch((error: unknown) => {
    // The emulator stopped; the stream reports that.
    if (error instanceof StagedoorError && error.reason === "unreachable") return { items: [] };
    throw error;
  });
  const at = items.findIndex(({ id }) => id === newest.id);
  return at < 0 ? [newest] : items.slice(at, at + more + 1).reverse();
};

/**
 * Prints events until the signal, with `--json` one line each; reconnects if the emulator was unreachable. Omits
 * requests to the console. @returns 0. @throws CommandError if there is no emulator, or it refuses.
 */
export const tail = async (io: Io, signal: AbortSignal, options: ClientOptions): Promise<number> => {
  const say = (event: "passcode" | "request", item: Passcode | LoggedRequest, line: Text): void =>
    options.json === true ? io.json({ event, ...item }) : io.out([line, "\n"]);
  const wanted = (appId: string | null): boolean => options.app === undefined || options.app === appId;
  let away = false;
  let isFirst = options.json !== true;
  const onBreak = (): void => {
    if (!away) io.err("Disconnected. Waiting for Stagedoor …");
    away = true;
  };
  const onOpen = (): void => {
    if (isFirst) io.err(zoneWords());
    isFirst = false;
    if (away) io.err("Reconnected.");
    away = false;
  };
  await withEmulator(options, async (client) => {
    for await (const { type, item, seq } of client.events({ signal, onOpen, onBreak })) {
      // A passcode is published again after each attempt; its message arrives, or gets lost, in one of them.
      const arrived = type === "passcode.put" && item.delivery !== "pending" && (item.arrivedSeq ?? item.seq) === seq;
      if (arrived && wanted(item.appId)) say("passcode", item, passcodeLine(item));
      if (type === "failure.first" && options.json !== true && wanted(item.app)) io.err(`${item.reason}: ${item.text}`);
      if (type !== "request.put") continue;
      for (const row of await rowsOf(client, item))
        if (row.listener !== "console" && wanted(row.appId)) say("request", row, requestLine(row));
    }
  });
  return 0;
};
