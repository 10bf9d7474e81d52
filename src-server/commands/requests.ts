/** `stagedoor requests`: prints the request log, and why requests were refused. */
import type { RequestRow } from "#client/records.ts";
import { lostWords } from "#contract/control/refusals.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { explain } from "#server/plumbing/explain.ts";
import { type Io, print } from "#server/plumbing/io.ts";
import { given, wholeNumber } from "#server/plumbing/options.ts";
import { requestLine } from "./tail.ts";

/** @see requests. `why`: explains errors and how to fix them. */
export interface RequestsOptions extends ClientOptions {
  readonly status?: string;
  readonly reason?: string;
  readonly path?: string;
  readonly trace?: string;
  readonly limit?: string;
  readonly why?: boolean;
}

const whyLines = (row: RequestRow): string[] => {
  const why = explain(row);
  const lines = [
    ...why.change.map((text) => ["Fix", text]),
    ["Reason", why.reason],
    ["Carried out", lostWords(row)],
    ["Repeats", row.repeats],
    ["Fault", row.fault],
    ["Ignored", row.ignoredFields.join(", ")],
    ["Warnings", row.warnings.join("; ")],
    ["Behaviour", why.behaviour],
    ["Rejected by", row.check],
  ];
  return lines.filter(([, text]) => Boolean(text)).map(([name, text]) => `    ${name}: ${text}`);
};

/** Prints the newest requests to admin and auth, newest first. @returns 0. @throws CommandError */
export const requests = async (io: Io, options: RequestsOptions): Promise<number> => {
  const { app: appId, reason, path, trace } = options;
  const status = wholeNumber(options.status, "--status", 100, 599);
  const query = {
    limit: wholeNumber(options.limit, "--limit", 1, 1_000) ?? 20,
    ...given({ appId, reason, path, status, trace }),
  };
  return await withEmulator(options, async (client) => {
    const list = await client.requests.list(query);
    const lines = list.items.flatMap((row) => [requestLine(row), ...(options.why === true ? whyLines(row) : [])]);
    if (lines.length === 0 && options.json !== true)
      io.err(list.total === 0 && Object.keys(query).length === 1 ? "No requests yet." : "No request matches.");
    return print(io, options.json, list, lines);
  });
};
