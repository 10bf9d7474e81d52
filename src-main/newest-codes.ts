/** The newest codes of a server, by its event stream: the main process follows it, so no window is needed. */
import { type Client, connect, type Passcode, type StagedoorEvent } from "#client/index.ts";
import { groups } from "#contract/words/code-words.ts";
import { recipientText } from "#contract/words/phone-words.ts";

/** A code as menus and notifications show it. */
export interface ShownCode {
  /** The digits, to be copied. */
  readonly code: string;
  /** The digits in groups: `846 832`. */
  readonly digits: string;
  readonly app: string;
  /** The name of the user, or else the recipient. */
  readonly user: string;
  readonly status: Passcode["status"];
}

/** What is called with the codes. */
export interface CodeListener {
  /** Some messages have arrived. @param last the newest of them. */
  arrived(count: number, last: ShownCode): void;
  /** @param codes the newest five, newest first. */
  changed(codes: readonly ShownCode[]): void;
}

const SHOWN = 5;
/** Minimum interval between two queries, in milliseconds: a test run can request hundreds of codes a second. */
const PAUSE_MS = 250;
/** The longest name that is shown. */
const LONGEST = 40;

/** @returns a name on one line and not too long: it may have been sent by any client of the app. */
const shortened = (name: string): string => {
  const line = name.replace(/[\p{C}\s]+/gu, " ").trim();
  const short = line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
  // Isolated, or a name written from right to left would swap the groups of the code next to it.
  return /^[ -~…]*$/.test(short) ? short : `\u2068${short}\u2069`;
};

/** @returns a line that begins at the left: by its first letter, a desktop would begin it at the right and swap the digits. */
export const fromLeft = (line: string): string => (/\u2068/.test(line) ? `\u200E${line}` : line);

/** @returns whether a message arrives with this event, for the first time or again, and its code can be entered. */
const isArrival = ({ seq, item }: StagedoorEvent & { type: "passcode.put" }): boolean =>
  item.delivery === "sent" && item.status === "active" && item.attempts === 0 && seq === (item.arrivedSeq ?? item.seq);

const CHANGES = /^(passcode\.|state\.put$|resync$|clock\.put$)/;

/** Adds the names, which are read once for each code. */
const named = (client: Client) => {
  let names = new Map<string, readonly [app: string, user: string]>();
  const namesOf = async ({ appId, userId, to }: Passcode): Promise<readonly [app: string, user: string]> => {
    const [app, user] = await Promise.all([
      client.apps.get(appId).then(({ name }) => name),
      client.profiles.get(userId, { appId }).then(({ name }) => name),
    ]).catch(() => [appId, null]); // Deleted in the meantime.
    return [shortened(app || appId), shortened(user || recipientText(to))];
  };
  return async (codes: readonly Passcode[]): Promise<ShownCode[]> => {
    const known = names;
    const found = await Promise.all(codes.map(async (one) => known.get(one.id) ?? (await namesOf(one))));
    names = new Map(codes.flatMap(({ id }, at) => (found[at] === undefined ? [] : [[id, found[at]]])));
    return codes.flatMap(({ code, status }, at) => {
      const [app, user] = found[at] ?? [];
      if (app === undefined || user === undefined) return [];
      return [{ code, digits: groups(code).join(" "), app, user, status }];
    });
  };
};

/** Follows the codes until the returned function is called, also over restarts of the server. */
export const followCodes = (consoleUrl: string, { arrived, changed }: CodeListener): (() => void) => {
  const client = connect(consoleUrl);
  const end = new AbortController();
  const describe = named(client);
  let fresh: Passcode[] = [];
  let reading = false;
  let outdated = false;
  const read = async (): Promise<void> => {
    const { items } = await client.passcodes.list({ limit: SHOWN });
    const [last, count] = [fresh.at(-1), fresh.length];
    fresh = [];
    const all = last === undefined || items.some(({ id }) => id === last.id) ? items : [...items, last];
    const codes = await describe(all);
    if (end.signal.aborted) return;
    changed(codes.slice(0, items.length));
    const newest = codes[all.findIndex(({ id }) => id === last?.id)];
    if (newest !== undefined) arrived(count, newest);
  };
  const refresh = (): void => {
    outdated = true;
    if (reading) return;
    reading = true;
    outdated = false;
    const again = (): void => {
      reading = false;
      if (outdated && !end.signal.aborted) refresh();
    };
    // If the server is gone, the stream opens again when it is back, and that refreshes.
    void read()
      .catch(() => undefined)
      .then(() => setTimeout(again, PAUSE_MS));
  };
  const follow = async (): Promise<void> => {
    for await (const event of client.events({ persistent: true, signal: end.signal, onOpen: refresh })) {
      if (event.type === "passcode.put" && isArrival(event)) fresh.push(event.item);
      if (CHANGES.test(event.type)) refresh();
    }
  };
  void follow().catch(() => undefined);
  return () => end.abort();
};
