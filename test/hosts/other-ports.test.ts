/** Stagedoor behind ports that differ from its own, as Docker, `ssh -L` and Codespaces publish them. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#test/support/ports.ts";
import { type Built, cleanEnv, hostsOf, startBuilt } from "./built.ts";
import { overHttp1 } from "./outside/ask.ts";
import { type Forwarded, forward, forwardBySocat } from "./outside/forward.ts";
import { onPath } from "./outside/proxy.ts";
import { APP, tour } from "./outside/tour.ts";

let built: Built;
let dir = "";
let first = 0;
const urls = () => ({
  admin: `http://localhost:${first}`,
  auth: `http://localhost:${first + 1}`,
  console: `http://localhost:${first + 2}`,
});
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-ports-"));
  const fixtures = join(dir, "qa.json");
  await writeFile(fixtures, JSON.stringify({ apps: [APP] }));
  first = await freePort(3);
  const given = Object.entries(urls()).flatMap(([name, url]) => [`--public-${name}-url`, url]);
  built = await startBuilt(["--ephemeral", "--fixtures", fixtures, ...given], cleanEnv());
});
afterAll(async () => {
  await built.stop();
  await rm(dir, { recursive: true, force: true });
});

test.for([
  ["a forwarder in one process, as ssh -L and docker-proxy", undefined],
  ["socat, with a process for each connection", "socat"],
] as const)("%s: everything, and no address inside is seen", async ([, name], { skip }) => {
  const program = name === undefined ? undefined : (onPath(name) ?? skip(`${name} is not installed`));
  const forwarded: Forwarded[] = [];
  for (const [i, host] of hostsOf(built.ready).entries()) {
    const to = { host: "127.0.0.1", port: Number(new URL(`http://${host}`).port) };
    forwarded.push(await (program === undefined ? forward(first + i, to) : forwardBySocat(program, first + i, to)));
  }
  try {
    await tour({ client: overHttp1(), urls: urls(), inside: hostsOf(built.ready) });
  } finally {
    for (const { stop } of forwarded) await stop();
  }
});

test("without anything between: everything, at the addresses that listen", async () => {
  const direct = await startBuilt(["--ephemeral", "--fixtures", join(dir, "qa.json")]);
  const { adminUrl: admin, authUrl: auth, consoleUrl: console } = direct.ready;
  await tour({ client: overHttp1(), urls: { admin, auth, console }, inside: [] }).finally(() => direct.stop());
});

test("what is for this machine keeps the addresses that listen", async () => {
  const { adminUrl, authUrl, consoleUrl, publicUrls } = built.ready;
  expect(publicUrls).toEqual(urls());
  for (const url of [adminUrl, authUrl, consoleUrl]) expect((await fetch(`${url}/readyz`)).status).toBe(200);
});
