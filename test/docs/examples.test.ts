/** Runs every command of docs/control-api.md against a server, in the order of the page. */
import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import type { Programs } from "#http/ports.ts";
import type { RunningServer } from "#server/server.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { IOS, simctlList, UDID } from "#test/support/device-stand-ins.ts";

const BASE = "http://127.0.0.1:4012";
const ADA = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const page = await readFile(new URL("../../docs/control-api.md", import.meta.url), "utf8");

/** `adb` and `xcrun` of a machine with one device of each kind. */
const PROGRAMS: Programs = {
  run: async ({ args }) => {
    const simulators = simctlList({ [IOS]: [{ udid: UDID, name: "iPhone 16", state: "Booted" }] });
    return { how: "ended", status: 0, out: args.includes("list") ? simulators : "", err: "" };
  },
  stop: () => undefined,
};

interface Example {
  readonly title: string;
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
  readonly statuses: readonly number[];
}

/** Parses a curl command as this page writes it. */
const read = (title: string, command: string): Example => {
  const url = /(http:\/\/127\.0\.0\.1:4012[^\s"]*)/.exec(command)?.[1] ?? "";
  const body = /-d '(.*)'/.exec(command)?.[1];
  const method = /-X ([A-Z]+)/.exec(command)?.[1] ?? (body === undefined ? "GET" : "POST");
  const headers = Object.fromEntries(
    [...command.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name, value]) => [name, value]),
  );
  const rows = Object.values<Operation>(routes).filter((row) => `${row.method} ${row.path}` === title);
  return { title, url, method, headers, body, statuses: rows.flatMap((row) => Object.keys(row.answers).map(Number)) };
};

const examples = [...page.matchAll(/^### `([A-Z]+ \/emulator\S+)`$([\s\S]*?)^```sh\n([\s\S]*?)^```$/gm)].map(
  ([, title = "", , command = ""]) => read(title, command),
);

let server: RunningServer;
const { control } = clientsOf(() => server);
beforeAll(async () => {
  server = await startInProcess({ programs: PROGRAMS, stop: () => undefined });
});
afterAll(() => server.close());

/** The id that `$ID` stands for: that of the first record in the list, which exists after `prepare`. */
const idFor = async (url: string): Promise<string> => {
  const list = /\/emulator\/v1(\/[\w-]+)\/\$ID/.exec(url)?.[1];
  if (list === undefined) return "";
  if (list === "/requests") await fetch(`${server.urls.auth}/v1/users/session`, { method: "POST" });
  if (list === "/faults") await control("POST", list, { match: { path: "/nowhere" }, effect: { drop: true } });
  const [first] = (await control("GET", list)).json.items;
  return first.id ?? first.kid;
};

const prepare = async (): Promise<void> => {
  await control("DELETE", "/state");
  await control("PUT", "/snapshots/before-login");
  await control("POST", "/signing-keys/rotate", {});
  await control("POST", "/passcodes", { appId: "demo-app", userId: ADA });
  await control("POST", "/sessions", { appId: "demo-app", userId: ADA });
};

describe("docs/control-api.md", () => {
  test("has an example for each operation", () => {
    const rows = Object.values<Operation>(routes).filter((row) => row.listener === "console");
    expect(examples.map(({ title }) => title).sort()).toEqual(rows.map((row) => `${row.method} ${row.path}`).sort());
  });

  test.each(examples.map((example) => [example.title, example] as const))("%s", async (_title, example) => {
    await prepare();
    expect(example.url).toContain(`${BASE}/emulator/v1/`);
    const url = example.url.replace(BASE, server.urls.console).replace("$ID", await idFor(example.url));
    const { method, headers } = example;
    const { seq } = (await control("POST", "/mark", { appId: "demo-app" })).json;
    const body = example.body?.replace('"to": 41', `"to": ${seq}`).replace('"to":41', `"to":${seq}`);
    const stop = new AbortController();
    const reply = await fetch(url, { method, headers, signal: stop.signal, ...(body === undefined ? {} : { body }) });
    const streams = reply.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
    const said = streams ? "" : await reply.text();
    stop.abort();
    expect(example.statuses, said).toContain(reply.status);
    if (headers["Accept"] === "text/plain") expect(said).toMatch(/^\d{6}\n$/);
  });
});
