/** The error table: every error by its `Emulator-Reason` (D13, D25, D27, D30 to D32). */
import { z } from "zod";
import { isoInstantText, type JsonObject, optional } from "../scalars.ts";
import type { FieldErrors } from "../validation.ts";
import { REASON_WORDS as WHY } from "./reasons.ts";

/** When it is returned, for the docs; its `instruction`, unless a problem has its own; its decision, if it has one. */
type ProblemRow = readonly [when: string, instruction: string, decision?: string];

/** @returns the errors of one status, by code. */
const of = <const C extends string>(status: number, phrase: string, rows: Readonly<Record<C, ProblemRow>>) => {
  const entry = ([when, instruction, decision]: ProblemRow) => ({
    status,
    phrase,
    instruction,
    when,
    ...(decision && { decision }),
  });
  const entries = Object.entries<ProblemRow>(rows).map(([code, row]) => [code, entry(row)]);
  return Object.fromEntries(entries) as Record<C, ReturnType<typeof entry>>;
};

const SEND_SECRET = "Send the app secret in one header: `Authorization: Bearer <APP_SECRET>`.";
/** What to do about an app id of no app. */
export const SEND_KNOWN_APP = "Send the id of an existing app, or create this one in Stagedoor.";
/** The same text for every failed authentication: the client must not learn the cause (D25). */
const REFUSED = "Check the passcode, or request a new one.";

// biome-ignore format: a table
export const problems = {
  ...of(400, "Bad Request", {
    bad_target: ["the request target is not a path",
      "Request a path on this server, such as GET /v1/profiles, over HTTP/1.1."],
    bad_host: ["the Host header is missing, repeated or invalid", "Send exactly one Host header."],
    malformed_json: ["the body is not JSON", "Send a body that is valid JSON."],
    body_not_object: ["the body is JSON, but not an object", "Send a JSON object."],
    body_too_deep: ["the body is nested deeper than 32 levels", "Nest the body at most 32 levels deep."],
    body_too_complex: ["the body has more than 10,000 keys and values, or is sent in thousands of tiny chunks",
      "Send at most 10,000 keys and values in one body."],
    body_not_utf8: ["the body is not valid UTF-8", "Send the body as UTF-8."],
    malformed_path: ["the path cannot be percent-decoded", "Percent-encode the path as UTF-8."],
    ambiguous_app: ["the wire settings of two apps each find their own id in the body",
      "The body contains the ids of two apps. Send only one.", "D21"],
  }),
  ...of(401, "Unauthorized", {
    missing_secret: ["the Authorization header is missing or malformed", SEND_SECRET],
    unknown_secret: [WHY.unknown_secret.sentence, "No app has this secret. Copy it from Stagedoor’s Apps screen, or run `stagedoor apps`."],
    unknown_app: [WHY.unknown_app.sentence, `No app has this id. ${SEND_KNOWN_APP}`, "D27"],
    unknown_user: [WHY.unknown_user.sentence, REFUSED, "D25"],
    passcode_not_sent: [WHY.passcode_not_sent.sentence, REFUSED, "D25"],
    passcode_mismatch: [WHY.passcode_mismatch.sentence, REFUSED, "D25"],
    passcode_replaced: [WHY.passcode_replaced.sentence, REFUSED, "D25"],
    passcode_expired: [WHY.passcode_expired.sentence, REFUSED, "D25"],
    passcode_used: [WHY.passcode_used.sentence, REFUSED, "D25"],
    passcode_exhausted: [WHY.passcode_exhausted.sentence, REFUSED, "D25"],
    invalid_token: ["the session token is not active",
      "Send an active session token in the Authorization header.", "D30"],
    missing_access_token: ["the console is open to other machines and the access token is missing or wrong",
      "Send the access token that Stagedoor printed when it started, or that your team shares."],
  }),
  ...of(403, "Forbidden", {
    sign_up_closed: [WHY.sign_up_closed.sentence, "This app does not accept new users.", "D32"],
    console_open: ["the console is open to other machines",
      "The console is open to other machines, so it calls no URLs. Run `stagedoor token-check` on your own machine instead."],
    not_your_app: ["a join token or app-bound token is used for another app",
      "This token is only for its own app. A join token may only create apps with ttlSeconds."],
    lease_required: ["a join token creates an app without a lease",
      "Send ttlSeconds: with a join token, apps are leased."],
    setting_for_all: ["a join token or an app-bound token changes a setting that affects other apps or the machine",
      "Remove unknownAppStatus and delivery.*: they affect more than this app."],
    foreign_origin: ["the request comes from another web page",
      "The console accepts requests only from its own pages and from local programs."],
  }),
  ...of(404, "Not Found", {
    unknown_path: ["the path does not exist", "Unknown path. Check the path and the base URL."],
    not_emulated: ["the path belongs to something that Stagedoor does not emulate", "Stagedoor emulates sign-in, not what is at this path."],
    other_listener: ["the path belongs to another listener", "Wrong port: this path belongs to another of Stagedoor's URLs."],
    unknown_profile: [WHY.unknown_profile.sentence, "This app has no profile with this id.", "D13"],
    unknown_record: ["nothing has this id", "Nothing has this id. It may have been deleted."],
    no_certificate: ["there is no certificate authority yet",
      "There is no certificate yet. Turn TLS on in Stagedoor under Connect, or start it with --tls."],
    no_passcode: ["no matching passcode was issued within the wait", "No matching passcode was issued."],
  }),
  ...of(405, "Method Not Allowed", {
    method_not_allowed: ["the path does not support the method", "Use a method from the Allow header."],
  }),
  ...of(409, "Conflict", {
    username_collision: ["a change of strategy would make usernames collide",
      "The change would give several profiles the same username."],
    fixtures_unreadable: ["a fixture file is missing or invalid at a reset",
      "The fixtures could not be read. Nothing was changed."],
    not_stoppable: ["Stagedoor runs inside another program, such as the tests that started it",
      "This Stagedoor runs inside another program. Stop that program instead."],
    session_not_active: ["the session has expired or was revoked", "This session is not active. Create a new one."],
    port_taken: ["another program uses the port",
      "Another program uses the port. Choose another one with --auth-port or --auth-tls-port."],
    ca_unusable: ["the folder of the certificate authority cannot be read or written",
      "The folder of the certificate authority cannot be used. Choose another one with --ca-dir."],
    tool_failed: ["`adb` or `xcrun` is missing or failed",
      "The program failed. Check that it is installed and that the device is connected."],
    secret_taken: ["another app has the secret that would be restored",
      "Another app now has this app's former secret. Change the other app's secret first."],
    changed_since: ["what an undo would restore was changed later, or was already undone",
      "This was changed later, so it cannot be undone. Nothing was changed."],
    username_taken_since: ["a rewind would bring back a profile whose username another user has now",
      "Another user has this username now. Nothing was changed."],
    snapshot_unreadable: ["the file of the snapshot is damaged or cannot be read",
      "The file of this snapshot is damaged or cannot be read. Nothing was changed. Save the snapshot again."],
    current_key: ["a signing key that signs tokens now would be retired",
      "This key signs tokens now. Rotate its algorithm first, and then retire it."],
    own_key: ["the signing key is that of --signing-key",
      "The signing key is your own (--signing-key). Start Stagedoor without it, or with another file."],
    body_not_kept: ["the request log does not have the complete body",
      "The request log does not have the complete body of this request. It keeps at most 16 KiB."],
  }),
  ...of(410, "Gone", {
    app_ended: ["the app of the token was idle for 15 minutes or more, and ended for a new one",
      "This app was idle and ended, because all apps of the join token were taken. Create a new one."],
    rewound_too_far: ["the timeline does not go back to that moment",
      "The timeline does not go back that far. Nothing was changed."],
  }),
  ...of(413, "Content Too Large", {
    body_too_large: ["the body is larger than the limit", "Send a smaller body."],
  }),
  ...of(415, "Unsupported Media Type", {
    not_json: ["the Content-Type is not JSON in UTF-8", "Send `Content-Type: application/json`, in UTF-8."],
    encoded_body: ["the body is compressed", "Send the body without Content-Encoding."],
  }),
  ...of(417, "Expectation Failed", {
    unknown_expectation: ["the Expect header asks for something other than 100-continue",
      "Send no Expect header, or `Expect: 100-continue`."],
  }),
  ...of(421, "Misdirected Request", {
    misdirected_host: ["the listener does not accept the name in the Host header",
      "Stagedoor does not accept this host name. Use an IP address or localhost, or add the name with --allow-host."],
  }),
  ...of(422, "Unprocessable Content", {
    invalid_fields: ["fields are missing or invalid", ""],
  }),
  ...of(429, "Too Many Requests", {
    rate_limited: [WHY.rate_limited.sentence,
      "Wait for the number of seconds in the Retry-After header.", "D31"],
    too_many_passcodes: ["10,000 passcodes of the app are active",
      "Wait until some expire, or delete unused passcodes.", "D24"],
    too_many_streams: ["there are 100 event streams, or 8 of this app’s token", "Close an event stream first."],
    too_many_snapshots: ["there are 100 snapshots", "Delete a snapshot first."],
    too_many_waits: ["64 requests of this app’s token wait for a passcode", "Let one of them end first."],
    too_many_shared_apps: ["there are as many apps of the join token as there may be",
      "Delete an app that is no longer used, wait until a lease ends, or let the owner raise --shared-apps."],
    share_used_up: ["the memory of all apps of the join token is full, and this app keeps more than its fair share",
      "Delete what this app no longer needs. Nothing was changed."],
    too_many_leases: ["there are 1,000 leased apps",
      "Delete an app that is no longer used, or wait until its lease ends."],
    too_many_faults: ["there are too many faults, or bytes of faults, for this app’s token or for Stagedoor",
      "Delete a fault first. Nothing was changed."],
  }),
  ...of(500, "Internal Server Error", {
    internal: [WHY.internal.sentence, "This is a bug in Stagedoor. Find the errorId in its log and report it."],
    fault_injected: ["a fault applied to the request (the fault sets the status)",
      "A simulated failure applied to this request."],
  }),
  ...of(503, "Service Unavailable", {
    busy: ["imports, exports and other heavy requests have run for 30 s before this one",
      "Wait for the number of seconds in the Retry-After header."],
  }),
  ...of(507, "Insufficient Storage", {
    disk_full: [WHY.disk_full.sentence, "The disk is full. Nothing was changed. Free some space and retry."],
    disk_failed: ["the data file could not be written", "The data file could not be written. Nothing was changed."],
    data_folder_missing: ["the data folder was removed or moved",
      "The data folder was removed or moved. Nothing was changed. Put it back, and Stagedoor continues without a restart."],
    taken_over: ["another process has taken over the data folder",
      "Another process has taken over the data folder. Nothing was changed. Restart this Stagedoor."],
  }),
} as const;

/** The code of an error, which is also its `Emulator-Reason`. */
export type ProblemCode = keyof typeof problems;

/** An error as a value, not an exception. */
export interface Problem {
  readonly code: ProblemCode;
  /** Overrides the table's status, by a setting of the app. */
  readonly status?: number;
  /** The errors by field, for `invalid_fields` or a `status` of 422. */
  readonly fields?: FieldErrors;
  /** Overrides the table's instruction. */
  readonly instruction?: string;
  /** Further fields of the body. */
  readonly more?: JsonObject;
  /** Additional response headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns whether the value is a `Problem`. */
export const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  Object.hasOwn(problems, value.code);

/** @returns the problem in the form that decisions and responses carry. */
export const problem = (code: ProblemCode, more: Omit<Problem, "code"> = {}): { readonly problem: Problem } => ({
  problem: { code, ...more },
});

/** @returns a 422 with errors by field. */
export const invalid = (fields: FieldErrors): { readonly problem: Problem } => problem("invalid_fields", { fields });

const PHRASES: Readonly<Record<number, string>> = Object.fromEntries(
  Object.values(problems).map(({ status, phrase }) => [status, phrase]),
);

/** @returns what to do: its own words, or those of its code. */
export const whatToDo = ({ code, instruction }: Problem): string => instruction ?? problems[code].instruction;

/** @param status HTTP status. @returns its phrase, the `message` of an error body. */
export const statusPhrase = (status: number): string => PHRASES[status] ?? "Error";

/** Why no passcode came, and the request that says so. */
const nonePart = z.object({
  reason: optional(
    z.string(),
    "With `no_passcode`: `signed_up`, `undelivered`, `delayed`, `used`, `replaced`, `expired`, `exhausted`, `read`, `cleared`, `sent_to_another`, `sent_by_another_app`, `no_request`, `no_response`; or the reason of the request, such as `unknown_app` or `rate_limited`.",
  ),
  request: optional(
    z.object({
      id: z.string(),
      at: isoInstantText,
      method: z.string(),
      path: z.string(),
      status: z.int(),
      reason: z.string().nullable(),
    }),
    "With `no_passcode`: the request that explains it.",
  ),
});

/** The body of the service's errors, except 422. */
export const serviceErrorBody = z.object({
  message: z.string().describe("The status phrase."),
  instruction: z.string().describe("What to check."),
});

/** The body of every error except 422. */
export const errorBody = z.object({
  ...serviceErrorBody.shape,
  ...nonePart.shape,
  errorId: optional(z.string(), "With 500: the id of the entry in Stagedoor's log on stderr."),
  oldestSeq: optional(z.int(), "With 410: the earliest moment that `rewind` can return to."),
});

/** The body of a 422: errors by field. */
export const fieldErrorsBody = z.record(z.string(), z.array(z.string()));

/** With `errors.shape: "error"`: the body of every error except 422, once the app is known. */
export const shortErrorBody = z.object({ error: z.string().describe("What to check.") });

/** With `errors.fields: "nested"`: the body of a 422, once the app is known. */
export const nestedFieldErrorsBody = z.object({ errors: fieldErrorsBody });
