/** `stagedoor requests`: the request log, and why requests were refused (CONTRACT 13). */
import type { RequestRow } from "#client/records.ts";
import { decisionOf } from "#contract/decisions.ts";
import { errorBody, problems } from "#contract/problems.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Io, print, printable, wrongUsage } from "./io.ts";
import { requestLine } from "./tail.ts";

/** @see requests */
export interface RequestsOptions extends Whereabouts {
  readonly app?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly path?: string | undefined;
  readonly limit?: string | undefined;
  /** What each refusal was about and what to change. */
  readonly why?: boolean | undefined;
  readonly json?: boolean | undefined;
}

const bodyOf = (row: RequestRow): unknown => {
  try {
    return JSON.parse(row.response.body ?? "");
  } catch {
    return undefined;
  }
};

/** @returns what the server said to change: in a header where the body is the service's own. */
const instructionOf = (row: RequestRow): string | undefined => {
  const said = row.response.headers["emulator-instruction"];
  return errorBody.safeParse(bodyOf(row)).data?.instruction ?? (typeof said === "string" ? said : undefined);
};

/** @returns when a request is answered with this reason, in words. */
const whenOf = (reason: string | null): string =>
  Object.entries(problems).find(([code]) => code === reason)?.[1].when ?? reason ?? "";

/** @returns why a request was answered so, for people. */
const whyOf = (row: RequestRow): Record<string, string> => {
  const decided = row.decision === null ? undefined : decisionOf(row.decision);
  const invalid = bodyOf(row);
  const fields = row.status === 422 && typeof invalid === "object" && invalid !== null ? Object.entries(invalid) : [];
  const why = {
    Reason: row.status >= 400 || row.status === 0 ? whenOf(row.reason) : "",
    Change: instructionOf(row) ?? fields.map(([field, texts]) => `${field} ${[texts].flat().join(", ")}`).join("; "),
    Fault: row.fault === null ? "" : `simulated by fault ${row.fault}`,
    Ignored: row.ignoredFields.join(", "),
    Warnings: row.warnings.join("; "),
    Behaviour: decided === undefined || row.status < 400 ? "" : `${decided.sentence} (${row.decision})`,
  };
  return Object.fromEntries(Object.entries(why).filter(([, text]) => text !== ""));
};

const whole = (text: string | undefined, option: string): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw wrongUsage(`${option} must be a whole number, not "${printable(text)}".`);
};

/** Prints the newest requests to admin and auth, newest first. @returns 0. @throws CommandError */
export const requests = async (options: RequestsOptions, io: Io): Promise<number> => {
  const { app: appId, reason, path } = options;
  const status = whole(options.status, "--status");
  const query = {
    limit: whole(options.limit, "--limit") ?? 20,
    ...(appId === undefined ? {} : { appId }),
    ...(reason === undefined ? {} : { reason }),
    ...(path === undefined ? {} : { path }),
    ...(status === undefined ? {} : { status }),
  };
  const list = await withEmulator(options, (client) => client.requests.list(query));
  const lines = list.items.flatMap((row) => [
    requestLine(row),
    ...(options.why === true ? Object.entries(whyOf(row)).map(([name, text]) => `    ${name}: ${text}`) : []),
  ]);
  return print(io, options.json, list, lines);
};
