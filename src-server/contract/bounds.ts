/** The table of limits; also in docs/internals/reliability.md. test/attack/thorough/bounds.test.ts tests each row. */

/** A row of the table. */
export interface Bound {
  /** The maximum, in `unit`. */
  readonly most: number;
  readonly unit: string;
  /** What is limited. */
  readonly of: string;
  /** What happens beyond the maximum. */
  readonly beyond: string;
}

const KIB = 1_024;
const MIB = 1_024 * KIB;

const most = (n: number, unit: string, of: string, beyond: string): Bound => ({ most: n, unit, of, beyond });
const bytes = (n: number, of: string, beyond: string): Bound => most(n, "bytes", of, beyond);
const characters = (n: number, of: string, beyond: string): Bound => most(n, "characters", of, beyond);
const ms = (n: number, of: string, beyond: string): Bound => most(n, "ms", of, beyond);

// biome-ignore format: a table
export const BOUNDS = {
  headBytes: bytes(16 * KIB, "path and headers of a request", "431"),
  hostLength: characters(255, "the Host header", "400 `bad_host`"),
  mediaTypeLength: characters(256, "the Content-Type header", "415 `not_json`"),
  bodyBytes: bytes(MIB, "a body (`--body-limit`; an import: 64 MiB)", "413"),
  bodyDepth: most(32, "levels", "nesting in a body", "400 `body_too_deep`"),
  bodyEntries: most(10_000, "keys and values", "a body on admin and auth",
    "400 `body_too_complex`, before it is parsed"),
  bodyPieces: most(4_096, "pieces", "a chunked body, and one more for each 64 bytes", "400 `body_too_complex`"),
  bodiesBytes: bytes(64 * MIB,
    "all unfinished bodies of a listener, the owner’s imports apart", "the connection with the largest of them is closed"),
  bodySparedBytes: bytes(64 * KIB, "an unfinished body that is never closed to make room", "it may be closed"),
  nameLength: characters(255, "a name (D6)", "422"),
  emailLength: characters(254, "an email address (D8)", "422"),
  metadataKeys: most(50, "keys", "metadata at its top level, after merging (D5)", "422"),
  metadataBytes: bytes(16 * KIB, "metadata as JSON, after merging (D5)", "422"),
  metadataDepth: most(8, "levels", "nesting in metadata (D5)", "422"),
  passcodeLength: characters(64,
    "an entered passcode that are compared and stored", "the rest is dropped, and the code is wrong"),
  passcodeTries: most(100, "tries", "attempts stored with a passcode", "the oldest is dropped"),
  heavyRequests: most(2, "requests", "imports, exports, snapshots, rewinds and large searches that run at a time, one of each app", "other requests wait in turn by app, with their body unread"),
  heavyWaitMs: ms(30_000, "the wait of such a request", "503 `busy`"),
  heavyStallMs: ms(10_000, "the time in which the client of an export reads nothing while 1 MiB waits for it", "the connection is closed"),
  waitingBytes: bytes(MIB, "what waits to be sent of an export", "it goes on as fast as it is read"),
  activePasscodes: most(10_000, "passcodes", "active passcodes of an app; ended ones: `--keep-passcodes`", "429 `too_many_passcodes`"),
  headersMs: ms(10_000, "the time for the headers of a request", "408"),
  requestMs: ms(60_000, "the time for a whole request", "408"),
  drainMs: ms(1_000,
    "the time to read on after an error, so that the client sees the response", "the connection is closed"),
  connections: most(4_096, "connections", "a listener",
    "the one that has been idle longest is closed, else the one whose request is unfinished longest"),
  pipelined: most(64, "requests", "pipelined requests on one connection", "the connection is closed"),
  logRows: most(1_000, "rows", "the request log (`--keep-requests`)", "the oldest of the app with the most is dropped"),
  logBytes: bytes(32 * MIB, "the request log, including all fields of its rows", "the oldest rows of the app with the most are dropped"),
  othersLogBytes: bytes(8 * MIB, "rows of the request log for what others sent to apps of the join token, and that was rejected", "the oldest of them are dropped"),
  logBodyBytes: bytes(16 * KIB, "a body in the request log", "the rest is dropped"),
  logNames: most(50, "entries", "the ignored fields of a row, and its warnings", "“and N more”"),
  logNameLength: characters(64, "the name of an ignored field in a row", "it is truncated"),
  logLoginLength: characters(256, "the username and the passcode of a row’s login", "it is truncated"),
  logWarningLength: characters(256, "a warning in a row", "it is truncated"),
  logAdviceLength: characters(1_024, "a text of the advice on a row", "it is truncated"),
  deviceLength: characters(255, "the User-Agent that a session keeps", "it is truncated"),
  timelineTransactions: most(10_000, "transactions", "the timeline of an app", "its oldest is dropped"),
  timelineBytes: bytes(64 * MIB, "what only the timeline of an app still holds",
    "its oldest transactions are dropped; one that is larger by itself cannot be undone"),
  timelineAllTransactions: most(20_000, "transactions", "the timelines of all apps", "the oldest of the app with the most is dropped"),
  timelineAllBytes: bytes(128 * MIB, "what only the timelines of all apps still hold",
    "the oldest of a deleted leased app, else of the app with the most, are dropped"),
  timelineLeftBytes: bytes(16 * MIB, "what only the timelines of deleted apps of the join token still hold", "their oldest is dropped"),
  appFaults: most(100, "faults", "an app, set with the token bound to it; weather and provoked outcomes count", "429"),
  appFaultBytes: bytes(2 * MIB, "the same faults as JSON", "429"),
  faults: most(1_000, "faults", "all faults that are set without a bound token", "429"),
  faultBytes: bytes(16 * MIB, "the same faults as JSON", "429"),
  weatherBytes: bytes(256 * KIB, "an app’s own weather as JSON", "422"),
  pageBytes: bytes(4 * MIB, "a page of faults or of the timeline, as JSON", "the page ends, and `next` is where to continue"),
  clients: most(200, "clients", "the clients of auth", "the one that has been silent longest is dropped"),
  leases: most(1_000, "apps", "leased apps that the owner has created", "429"),
  sharedApps: most(250, "apps", "apps of the join token at a time (`--shared-apps`)", "429"),
  boundSnapshots: most(5, "snapshots", "an app, saved with the token bound to it", "429"),
  eventBytes: bytes(16 * MIB, "the events kept for readers that reconnect",
    "the oldest are dropped, and such a reader gets `resync`"),
  tokenCheckMs: ms(5_000, "a call of a token check, its body included", "it counts as one without a response"),
  eventStreams: most(100, "streams", "the event stream, without those of bound tokens", "429"),
  appStreams: most(8, "streams", "the event stream of an app, with the token bound to it", "429"),
  appWaits: most(64, "requests", "requests of an app that wait for a passcode, with the token bound to it", "429"),
} as const;

/** The name of a limit. */
export type BoundName = keyof typeof BOUNDS;

/** The maxima that hold in a server, by name; tests lower them. */
export type Maxima = Readonly<Record<BoundName, number>>;

/** @param lowered those that are not as in the table. @returns all. */
export const maximaWith = (lowered: Partial<Maxima> = {}): Maxima => {
  const all = Object.entries(BOUNDS).map(([name, bound]) => [name, bound.most]);
  return { ...(Object.fromEntries(all) as Maxima), ...lowered };
};
