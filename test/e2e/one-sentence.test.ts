/** One first sentence about a refused request, wherever it is read. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Locator } from "playwright-core";
import { beforeAll, expect, vi } from "vitest";
import { z } from "zod";
import { clean, PROGRAM, run, SCRIPT, type Started, start } from "#test/cli/support.ts";
import { Agent } from "#test/programs/mcp/built/mcp-support.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { drop, rowWith, test } from "./harness.ts";

const SESSION = "/v1/users/session";
const ADA = "+12025550100";
const MADE = z.object({ app: z.object({ appId: z.string() }) });
const EXPLAINED = z.object({ change: z.array(z.string()) });

let server: Started;
let tailed = "";
const agent = new Agent();
let own = "";

beforeAll(async () => {
  server = await start(["--headless", "--ephemeral"]);
  await agent.open(["--url", server.ready.consoleUrl]);
  own = (await agent.ask(MADE, "make_app")).app.appId;
  const tail = spawn(PROGRAM, [...SCRIPT, "tail", "--url", server.ready.consoleUrl], { env: clean() });
  const ended = once(tail, "close");
  for (const stream of [tail.stdout, tail.stderr])
    stream.on("data", (chunk: Buffer) => {
      tailed += chunk.toString();
    });
  await vi.waitUntil(() => tailed.includes("Times are"), { timeout: 30_000 });
  afterFile(async () => {
    tail.kill("SIGKILL");
    await ended;
    await agent.close();
  });
});

const send = (method: string, path: string, body: string): Promise<Response> =>
  fetch(server.ready.authUrl + path, { method, headers: { "Content-Type": "application/json" }, body });
const of = (appId: string, user: object, more: object = {}): string => JSON.stringify({ appId, user, ...more });

/** What stands first of `sought` in a text. */
const firstOf = (text: string, sought: readonly string[]): string | undefined =>
  sought.filter((one) => text.includes(one)).sort((a, b) => text.indexOf(a) - text.indexOf(b))[0];

/** Each with the general sentence about such a refusal. */
const SLIPS: readonly (readonly [slip: string, method: string, path: string, body: () => string, general: string])[] = [
  ["a field by another name", "POST", SESSION, () => of(own, { phoneNumber: ADA }), "phone can't be blank"],
  [
    "another case of the app's id",
    "POST",
    SESSION,
    () => of(own.toUpperCase(), { phone: ADA }),
    "The appId is unknown",
  ],
  [
    "a trailing comma",
    "POST",
    SESSION,
    () => `{"appId":"${own}","user":{"phone":"${ADA}",}}`,
    "The body is malformed JSON",
  ],
  [
    "an unknown user",
    "PUT",
    SESSION,
    () => of(own, { phone: ADA }, { passcode: "123456" }),
    "No user of the app has this phone or email",
  ],
  ["a prefix too many", "POST", `/api${SESSION}`, () => of(own, { phone: ADA }), "The path does not exist"],
];

test.for(SLIPS)("about %s", async ([_slip, method, path, body, general], { visit }) => {
  const refused = await send(method, path, body());
  const id = refused.headers.get("Emulator-Request-Id") ?? "";
  expect(refused.status).toBeGreaterThanOrEqual(400);
  const api = `${server.ready.consoleUrl}/emulator/v1`;
  const row = await (await fetch(`${api}/requests/${id}`)).json();
  const first: string = row.advice[0].text;
  const all: readonly string[] = [first, general, ...row.advice.slice(1).map(({ text }: { text: string }) => text)];

  await expect.poll(() => firstOf(server.out(), all), { message: "terminal" }).toBe(first);
  await expect.poll(() => firstOf(tailed, all), { message: "tail" }).toBe(first);
  const why = await run(["requests", "--why", "--limit", "1", "--url", server.ready.consoleUrl]);
  expect(firstOf(why.out, all), "--why").toBe(first);

  const told = await agent.call("explain_failure", { requestId: id });
  expect(firstOf(told.text, all), "MCP").toBe(first);
  expect(EXPLAINED.parse(told.data).change[0], "MCP, data").toBe(first);

  const bundle = await (await fetch(`${api}/requests/${id}/bundle`)).json();
  expect(bundle.requests.at(-1).advice[0].text, "bundle").toBe(first);

  const page = await visit(`${server.ready.consoleUrl}/requests`);
  const textOf = async (place: Locator): Promise<string> => (await place.textContent()) ?? "";
  const line = rowWith(page, `${method} ${path}`).first();
  await line.waitFor();
  expect(firstOf(await textOf(line), all), "row").toBe(first);
  await line.getByRole("link").first().click();
  const detail = page.getByRole("region", { name: `${method} ${path}` });
  await detail.getByRole("heading", { name: "How to fix" }).waitFor();
  expect(firstOf(await textOf(detail), all), "detail").toBe(first);
  await page.goto(`${server.ready.consoleUrl}/codes/${id}`);
  const login = page.getByRole("region", { name: /^Login of/ });
  if (row.login !== null)
    await expect.poll(async () => firstOf(await textOf(login), all), { message: "Codes" }).toBe(first);
  if (row.login === null) return;
  await drop(page, { file: "login.json", text: JSON.stringify(bundle) });
  const film = page.getByRole("dialog", { name: /^Login of/ });
  await film.getByRole("listitem").first().waitFor();
  expect(firstOf(await textOf(film), all), "film").toBe(first);
});
