/** A request that a fault cuts fails once for real clients, whatever they repeat by themselves. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { Pool } from "undici";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freshPhone, harness } from "#test/http/control/support.ts";
import { faultCalls } from "./fault-calls.ts";

const run = promisify(execFile);
// Time stands still, so that a repetition on a busy machine comes in time.
const running = harness({ monotonic: () => 0 });
const { control, app } = running;
const { set, fault } = faultCalls(running);

/** A URL, and a body to POST to it; a GET has an empty one. */
type Call = readonly [url: string, body: string];
/** A client that sends calls one after the other and keeps its connection. Gives the statuses; 0: no answer. */
type Client = (calls: readonly Call[]) => Promise<number[]>;

const has = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
const numbers = (text: string): number[] => text.trim().split(/\s+/).map(Number);

const curl: Client = async (calls) => {
  const args = calls.flatMap(([url, body]) => [
    ...["--next", "-s", "-o", "/dev/null", "-w", "%{http_code}\n", url],
    ...(body === "" ? [] : ["-H", "Content-Type: application/json", "-d", body]),
  ]);
  return numbers((await run("curl", args.slice(1))).stdout);
};

const FETCH = `
for (const [url, body] of JSON.parse(process.argv[1])) {
  const post = { method: "POST", headers: { "Content-Type": "application/json" }, body };
  const status = fetch(url, body === "" ? {} : post).then(async (res) => (await res.text(), res.status), () => 0);
  console.log(await status);
}`;
const nodeFetch: Client = async (calls) =>
  numbers((await run(process.execPath, ["--input-type=module", "-e", FETCH, JSON.stringify(calls)])).stdout);

const pool: Client = async (calls) => {
  const one = new Pool(running.server.urls.auth, { connections: 1 });
  const seen: number[] = [];
  for (const [url, body] of calls) {
    const { pathname: path } = new URL(url);
    const headers = { "Content-Type": "application/json" };
    const asked =
      body === "" ? one.request({ path, method: "GET" }) : one.request({ path, method: "POST", headers, body });
    seen.push(
      await asked.then(
        async (answer) => {
          await answer.body.dump();
          return answer.statusCode;
        },
        () => 0,
      ),
    );
  }
  await one.close();
  return seen;
};

let classes = "";
beforeAll(async () => {
  if (!has("javac")) return;
  classes = await mkdtemp(join(tmpdir(), "stagedoor-java-"));
  await run("javac", ["-d", classes, join(import.meta.dirname, "SignUps.java")]);
});
afterAll(() => classes !== "" && rm(classes, { recursive: true }));

const java =
  (name: string): Client =>
  async (calls) => {
    // The first compiler is enough for so little.
    const args = ["-XX:TieredStopAtLevel=1", "-cp", classes, "SignUps", name, ...calls.flat()];
    return numbers((await run("java", args)).stdout);
  };

const CLIENTS: readonly (readonly [name: string, client: Client, program?: string])[] = [
  ["curl", curl, "curl"],
  ["Node's fetch", nodeFetch],
  ["undici's Pool", pool],
  ["Java's HttpURLConnection", java("HttpURLConnection"), "javac"],
  ["Java's HttpClient", java("HttpClient"), "javac"],
];

describe.for(CLIENTS)("%s", ([, client, program]) => {
  test.for([
    ["drop", "fresh"],
    ["drop", "used"],
    ["reset", "fresh"],
    ["reset", "used"],
  ] as const)(
    "%s once, on a %s connection: one login fails, the next one works",
    async ([how, connection], { skip }) => {
      skip(program !== undefined && !has(program), `${program} is not installed`);
      const { appId } = await app();
      const id = await set({ [how]: true }, { appId, method: "POST" }, 1);
      const { auth } = running.server.urls;
      const signUp = (): Call => [`${auth}/v1/users/session`, JSON.stringify({ appId, user: { phone: freshPhone() } })];
      const before: Call[] = connection === "used" ? [[`${auth}/.well-known/jwks.json`, ""]] : [];
      const seen = await client([...before, signUp(), signUp()]);
      expect(seen).toEqual([...before.map(() => 200), 0, 200]);
      expect(await fault(id)).toMatchObject({ used: 1, remaining: 0 });
      const [last, ...cut] = (await control("GET", `/requests?appId=${appId}`)).json.items;
      expect([last.status, last.fault]).toEqual([200, null]);
      const first = cut.pop();
      expect(first).toMatchObject({ status: 0, fault: id, repeats: null });
      for (const row of cut) expect(row).toMatchObject({ status: 0, fault: id, repeats: first.id });
    },
  );
});
