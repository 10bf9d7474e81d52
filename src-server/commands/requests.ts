/** `stagedoor requests`: prints the request log, and why requests were refused (CONTRACT 13). */
import type { RequestRow } from "#client/records.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Explanation, explain } from "./explain.ts";
import { type Io, print, printable, wrongUsage } from "./io.ts";
import { requestLine } from "./tail.ts";

/** @see requests */
export interface RequestsOptions extends Whereabouts {
  readonly app?: string | undefined;
  readonly status?: string | undefined;
  readonly reason?: string | undefined;
  readonly path?: string | undefined;
  readonly limit?: string | undefined;
  /** Explain errors and how to fix them. */
  readonly why?: boolean | undefined;
  readonly json?: boolean | undefined;
}

/** @returns the explanation of a response as lines. */
const whyLines = (row: RequestRow, why: Explanation | undefined): string[] => {
  if (why === undefined) return [];
  const lines = [
    ["Reason", why.reason],
    ...why.change.map((text) => ["Change", text]),
    ["Fault", row.fault],
    ["Ignored", row.ignoredFields.join(", ")],
    ["Warnings", row.warnings.join("; ")],
    ["Behaviour", why.behaviour],
  ];
  return lines.filter(([, text]) => Boolean(text)).map(([name, text]) => `    ${name}: ${text}`);
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
  const { list, why } = await withEmulator(options, async (client) => {
    const found = await client.requests.list(query);
    return {
      list: found,
      why: options.why === true ? await explain(client, found.items, (await client.apps.list()).items) : [],
    };
  });
  const lines = list.items.flatMap((row, at) => [requestLine(row), ...whyLines(row, why[at])]);
  return print(io, options.json, list, lines);
};
