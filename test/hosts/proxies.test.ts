/** Everything through the configurations of docs/deploy/proxies, over HTTP/1.1 and over HTTP/2. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Built, cleanEnv, hostsOf, startBuilt } from "./built.ts";
import { overHttp1, overHttp2, whole } from "./outside/ask.ts";
import { BEHIND_PROXY, missing, PUBLIC, startProxy } from "./outside/proxy.ts";
import { APP, tour } from "./outside/tour.ts";

const TOKEN = "for-the-tests-alone";
const headers = { Authorization: `Bearer ${TOKEN}` };

let built: Built;
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-proxies-"));
  const fixtures = join(dir, "qa.json");
  await writeFile(fixtures, JSON.stringify({ apps: [APP] }));
  const env = { ...cleanEnv(), STAGEDOOR_ACCESS_TOKEN: TOKEN };
  built = await startBuilt(["--ephemeral", "--fixtures", fixtures, ...BEHIND_PROXY], env);
});
afterAll(async () => {
  await built.stop();
  await rm(dir, { recursive: true, force: true });
});

describe.each(["nginx", "nginx, buffering off", "nginx, as Codespaces", "haproxy", "caddy"] as const)("%s", (name) => {
  test.for([
    ["HTTP/1.1", overHttp1],
    ["HTTP/2", overHttp2],
  ] as const)(
    "%s: console, stage, demo app, login, wait, events, and an import of 20 MB",
    async ([, over], { skip }) => {
      const why = missing(name);
      if (why !== undefined) skip(why);
      const proxy = await startProxy(name, dir, built.ready);
      const client = over(proxy);
      try {
        await tour({ client, urls: PUBLIC, headers, inside: hostsOf(built.ready) });
      } finally {
        client.close();
        await proxy.stop();
      }
    },
  );
});

test("nginx with nothing but proxy_pass: the refusal names the header that the proxy must pass", async ({ skip }) => {
  const why = missing("nginx");
  if (why !== undefined) skip(why);
  const proxy = await startProxy("nginx, default proxy_pass", dir, built.ready);
  const { ask } = overHttp2(proxy);
  const asked = await ask(`${PUBLIC.console}/codes`, { headers: { ...headers, Origin: PUBLIC.console } });
  const refused = await whole(asked);
  await proxy.stop();
  expect(refused).toMatchObject({ status: 403, headers: { "emulator-reason": "foreign_origin" } });
  expect(refused.json.instruction).toContain("Host");
  expect(refused.json.instruction).toContain(PUBLIC.console);
});
