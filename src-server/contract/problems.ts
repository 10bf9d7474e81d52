/**
 * THE error table: every refusal that Stagedoor can give, with its status, its body and the reason that the developer
 * reads in the `Emulator-Reason` header. The key is the reason. (CONTRACT 5, D13, D25, D27, D30 to D32)
 */
import { z } from "zod";
import type { FieldErrors } from "./validation.ts";

interface Row {
  /** HTTP status. */
  readonly status: number;
  /** What the client reads under `instruction`; a single problem may say something more exact. */
  readonly instruction: string;
  /** When it is given, for the documentation. */
  readonly when: string;
  /** The decision that it rests on, where that is another than the operation's. */
  readonly decision?: string;
}

/** The one text of every refused authentication: the client must not learn the cause (D25). */
const REFUSED = "Check the passcode, or ask for a new one.";

export const problems = {
  bad_target: {
    status: 400,
    instruction: "Ask for a path on this server, such as GET /v1/profiles, over HTTP/1.1.",
    when: "the request target is not a path",
  },
  bad_host: {
    status: 400,
    instruction: "Send exactly one Host header.",
    when: "no Host header, or more than one, or one that is no host",
  },
  malformed_json: { status: 400, instruction: "Send a body that is valid JSON.", when: "the body is not JSON" },
  body_not_object: { status: 400, instruction: "Send a JSON object.", when: "the body is JSON, but not an object" },
  body_too_deep: {
    status: 400,
    instruction: "Nest the body at most 32 levels deep.",
    when: "the body is nested deeper than 32",
  },
  body_not_utf8: { status: 400, instruction: "Send the body as UTF-8.", when: "the body is not valid UTF-8" },
  malformed_path: { status: 400, instruction: "Percent-encode the path as UTF-8.", when: "the path cannot be decoded" },
  ambiguous_app: {
    status: 400,
    instruction: "The body names two apps. Send the id of one.",
    when: "two apps' wire settings each find their own id in the body",
    decision: "D21",
  },
  missing_secret: {
    status: 401,
    instruction: "Send the app's secret as `Authorization: Bearer <APP_SECRET>`, once.",
    when: "no usable Authorization header",
  },
  unknown_secret: {
    status: 401,
    instruction: "Send the app's secret as `Authorization: Bearer <APP_SECRET>`, once.",
    when: "no app has this secret",
  },
  unknown_app: {
    status: 401,
    instruction: "Check `appId`: no app has this id.",
    when: "no app has this id",
    decision: "D27",
  },
  unknown_user: { status: 401, instruction: REFUSED, when: "no profile of the app has this username", decision: "D25" },
  passcode_not_sent: { status: 401, instruction: REFUSED, when: "no passcode was sent to this user", decision: "D25" },
  passcode_mismatch: { status: 401, instruction: REFUSED, when: "the passcode is not the one sent", decision: "D25" },
  passcode_replaced: {
    status: 401,
    instruction: REFUSED,
    when: "the passcode was replaced by a newer one",
    decision: "D25",
  },
  passcode_expired: { status: 401, instruction: REFUSED, when: "the passcode has expired", decision: "D25" },
  passcode_used: { status: 401, instruction: REFUSED, when: "the passcode has been used", decision: "D25" },
  passcode_exhausted: {
    status: 401,
    instruction: REFUSED,
    when: "the passcode saw too many wrong tries",
    decision: "D25",
  },
  invalid_token: {
    status: 401,
    instruction: "Does the Authorization header hold a valid, unexpired session token?",
    when: "the session token is not active",
    decision: "D30",
  },
  missing_access_token: {
    status: 401,
    instruction: "Send the access token that the start of Stagedoor printed.",
    when: "the console is open to other machines and the token is missing or wrong",
  },
  sign_up_closed: {
    status: 403,
    instruction: "This app does not accept new users.",
    when: "the app's sign-up is closed and the username is new",
    decision: "D32",
  },
  foreign_origin: {
    status: 403,
    instruction: "The console answers its own pages and local programs only.",
    when: "another web page asks the console",
  },
  unknown_path: { status: 404, instruction: "Check the path and the base URL.", when: "there is no such path" },
  other_listener: {
    status: 404,
    instruction: "This path belongs to another of Stagedoor's URLs.",
    when: "the path belongs to another listener",
  },
  unknown_profile: {
    status: 404,
    instruction: "This app has no profile with this id.",
    when: "no profile of the app has this id",
    decision: "D13",
  },
  unknown_record: { status: 404, instruction: "There is nothing with this id.", when: "nothing has this id" },
  no_passcode: {
    status: 404,
    instruction: "No passcode that fits was issued.",
    when: "no passcode fits, within the time waited",
  },
  method_not_allowed: {
    status: 405,
    instruction: "Use one of the methods named in the Allow header.",
    when: "the path has other methods",
  },
  username_collision: {
    status: 409,
    instruction: "Two profiles would have the same username.",
    when: "a change of strategy would make usernames collide",
  },
  fixtures_unreadable: {
    status: 409,
    instruction: "The fixtures could not be read; nothing was changed.",
    when: "the fixture files are gone or bad at a reset",
  },
  secret_taken: {
    status: 409,
    instruction: "Another app has the secret that this one had. Give that one another secret first.",
    when: "another app has the secret that would come back",
  },
  snapshot_unreadable: {
    status: 409,
    instruction: "What this snapshot has kept on disk could not be read; nothing was changed.",
    when: "the file that holds what has changed since the snapshot cannot be read",
  },
  body_not_kept: {
    status: 409,
    instruction: "The log has not kept the whole body of this request: only the first 16 KiB, and only if it was read.",
    when: "the log has not kept the whole body of the request",
  },
  body_too_large: { status: 413, instruction: "Send a smaller body.", when: "the body is larger than the limit" },
  not_json: {
    status: 415,
    instruction: "Send `Content-Type: application/json`, in UTF-8.",
    when: "the body is not declared as JSON in UTF-8",
  },
  encoded_body: { status: 415, instruction: "Send the body without Content-Encoding.", when: "the body is compressed" },
  misdirected_host: {
    status: 421,
    instruction: "This name is not one of Stagedoor's. Use an IP address or localhost, or add it with --allow-host.",
    when: "the Host header names a host that this listener does not answer to",
  },
  invalid_fields: { status: 422, instruction: "", when: "fields are missing or wrong" },
  rate_limited: {
    status: 429,
    instruction: "Wait for the seconds in the Retry-After header.",
    when: "a limit of the app's settings is reached",
    decision: "D31",
  },
  too_many_streams: { status: 429, instruction: "Close an event stream first.", when: "there are 100 event streams" },
  too_many_snapshots: { status: 429, instruction: "Delete a snapshot first.", when: "there are 100 snapshots" },
  too_many_faults: { status: 429, instruction: "Delete a fault first.", when: "there are 1,000 faults" },
  internal: {
    status: 500,
    instruction: "This is a defect of Stagedoor: its log has the errorId.",
    when: "Stagedoor has a defect",
  },
  fault_injected: {
    status: 500,
    instruction: "A fault was set for this request.",
    when: "a fault was set for this request (with the status that it names)",
  },
  disk_full: {
    status: 507,
    instruction: "The disk is full: nothing was changed. Make room and try again.",
    when: "the data file could not be written for want of room",
  },
  disk_failed: {
    status: 507,
    instruction: "The data file could not be written: nothing was changed.",
    when: "the data file could not be written",
  },
} as const satisfies Record<string, Row>;

/** The name of a refusal, which is also its `Emulator-Reason`. */
export type ProblemCode = keyof typeof problems;

/** A refusal: a value, not an exception. */
export interface Problem {
  readonly code: ProblemCode;
  /** For `invalid_fields`: what is wrong, by field. */
  readonly fields?: FieldErrors;
  /** A more exact instruction than the table's. */
  readonly instruction?: string;
  /** Headers that the answer carries besides. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns whether this is a refusal of the table. */
export const isProblem = (value: unknown): value is Problem =>
  typeof value === "object" &&
  value !== null &&
  "code" in value &&
  typeof value.code === "string" &&
  Object.hasOwn(problems, value.code);

/** @returns the problem as a decision or an answer carries it. */
export const problem = (code: ProblemCode, more: Omit<Problem, "code"> = {}): { readonly problem: Problem } => ({
  problem: { code, ...more },
});

/** @returns a 422 with what is wrong, by field. */
export const invalid = (fields: FieldErrors): { readonly problem: Problem } => problem("invalid_fields", { fields });

const PHRASES: Record<number, string> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  421: "Misdirected Request",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  507: "Insufficient Storage",
};

/** @param status HTTP status. @returns its phrase, the `message` of an error body. */
export const statusPhrase = (status: number): string => PHRASES[status] ?? "Error";

/** The body of every refusal but 422. */
export const errorBody = z.object({
  message: z.string().meta({ description: "The phrase of the status." }),
  instruction: z.string().meta({ description: "What to look at." }),
  errorId: z.string().exactOptional().meta({ description: "With 500: the id under which the log has the details." }),
});

/** The body of a 422: what is wrong, by field. */
export const fieldErrorsBody = z.record(z.string(), z.array(z.string()));
