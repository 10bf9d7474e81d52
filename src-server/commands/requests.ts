/** `stagedoor requests`: prints the request log, and why requests were refused. */
import type { RequestRow } from "#client/records.ts";
import { lostWords } from "#contract/control/refusals.ts";
import { harOf } from "#contract/documents/har.ts";
import { many } from "#contract/words/words.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { explain } from "#server/plumbing/explain.ts";
import { CommandError, type Io, print, report } from "#server/plumbing/io.ts";
import { given, wholeNumber } from "#server/plumbing/options.ts";
import { writeWhole } from "#server/plumbing/write-whole.ts";
import { saveLogin } from "./failed-logins.ts";
import { requestLine } from "./tail.ts";

/** @see requests. `why`: explains errors and how to fix them. `save`: a file for the login of the newest failed one; `har`: for an archive. */
export interface RequestsOptions extends ClientOptions {
  readonly status?: string;
  readonly reason?: string;
  readonly path?: string;
  readonly trace?: string;
  readonly limit?: string;
  readonly why?: boolean;
  readonly save?: string;
  readonly har?: string;
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
    ["Id", row.id],
    ["Rule", why.behaviour],
  ];
  return lines.filter(([, text]) => Boolean(text)).map(([name, text]) => `    ${name}: ${text}`);
};

/** Prints the newest requests to admin and auth, newest first. @returns 0. @throws CommandError */
export const requests = async (io: Io, options: RequestsOptions): Promise<number> => {
  const { app: appId, reason, path, trace, save, har, json } = options;
  const status = wholeNumber(options.status, "--status", 100, 599);
  const query = {
    limit: wholeNumber(options.limit, "--limit", 1, 1_000) ?? (har === undefined ? 20 : 1_000),
    ...given({ appId, reason, path, status, trace }),
  };
  return await withEmulator(options, async (client) => {
    if (save !== undefined) {
      const [row] = (await client.requests.list({ ...query, failed: "1", limit: 1 })).items;
      if (row === undefined) throw new CommandError("No request failed.");
      await saveLogin(client, row, save);
      const words = `${requestLine(row)}\nSaved. Show it: stagedoor open ${save}`;
      return report(io, json, { file: save, requestId: row.id }, words);
    }
    const list = await client.requests.list(query);
    if (har !== undefined) {
      const archive = harOf(list.items, (await client.status()).version);
      await writeWhole(har, `${JSON.stringify(archive)}\n`, undefined, 0o600);
      const { length } = list.items;
      return report(io, json, { file: har, requests: length }, `${many(length, "request")} saved.`);
    }
    const lines = list.items.flatMap((row) => [requestLine(row), ...(options.why === true ? whyLines(row) : [])]);
    if (lines.length === 0 && json !== true)
      io.err(list.total === 0 && Object.keys(query).length === 1 ? "No requests yet." : "No request matches.");
    return print(io, json, list, lines);
  });
};
