/** A Postman collection, made from each document as users import it, runs whole against a fresh instance. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { isHere, TOOLS } from "#test/programs/helper/built/languages.ts";

/** Both are where CI has put them. */
const NEWMAN = process.env["STAGEDOOR_NEWMAN"] ?? "newman";
const CONVERTER = join(dirname(NEWMAN), "openapi2postmanv2");
const run = promisify(execFile);

const folder = mkdtempSync(join(tmpdir(), "stagedoor-collection-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One request of a run, as newman reports it. */
interface Execution {
  readonly request: { readonly method: string; readonly url: { readonly path?: readonly string[] } };
  readonly response?: { readonly code: number; readonly stream: { readonly data: readonly number[] } };
}

/** Converts a document and runs the collection. @returns a line for each request. */
const collect = async ({ urls }: RunningServer, name: string, version: string): Promise<string[]> => {
  const file = (ending: string) => join(folder, `${name}-${version}.${ending}.json`);
  const document = await fetch(`${urls.console}/openapi/${name}.json?version=${version}`);
  writeFileSync(file("openapi"), await document.text());
  // Examples, and of the parameters those that are required: the others are listed, and turned off.
  const options = "parametersResolution=Example,enableOptionalParameters=false";
  await run(CONVERTER, ["-s", file("openapi"), "-o", file("collection"), "-O", options]);
  const secret = ["--env-var", "bearerToken=sk_local_demo"];
  const report = ["--reporters", "json", "--reporter-json-export", file("report")];
  // The stream of events never ends: newman leaves it after this time.
  await run(NEWMAN, ["run", file("collection"), ...secret, ...report, "--timeout-request", "10000"]).catch(
    () => undefined,
  );
  const { executions }: { executions: readonly Execution[] } = JSON.parse(readFileSync(file("report"), "utf8")).run;
  return executions.map(({ request: { method, url }, response }) => {
    const said = response === undefined ? "" : Buffer.from(response.stream.data).toString().slice(0, 200);
    return `${response?.code ?? "no end"} ${method} /${url.path?.join("/")} ${(response?.code ?? 0) >= 400 ? said : ""}`.trim();
  });
};

test.for<[string, string, number]>([
  ["emulator", "3.1", 80],
  ["auth", "3.1", 2],
  ["admin", "3.1", 5],
  ["emulator", "3.0", 80],
  ["auth", "3.0", 2],
  ["admin", "3.0", 5],
])("%s.json in %s: no 404, no 5xx, and Stagedoor still runs", async ([name, version, atLeast], { skip }) => {
  const postman = TOOLS["postman"];
  skip(postman === undefined || !isHere("newman", postman), "newman is not installed");
  let stops = 0;
  const server = await startInProcess({ stop: () => void stops++ });
  try {
    const lines = await collect(server, name, version);
    expect(lines.length).toBeGreaterThanOrEqual(atLeast);
    expect(lines.filter((line) => /^(404|5\d\d|no end)/.test(line))).toEqual(
      name === "emulator" ? ["no end GET /emulator/v1/events"] : [],
    );
    expect((await fetch(`${server.urls.console}/emulator/v1/status`)).status).toBe(200);
    expect(stops).toBe(0);
  } finally {
    await server.close();
  }
});
