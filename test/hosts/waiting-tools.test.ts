/** The tools that wait for an address, each by the request that it sends (docs/deploy/proxies.md). */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#test/support/ports.ts";
import { type Built, CLI, cleanEnv, startBuilt } from "./built.ts";
import { caller } from "./client.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

let built: Built;
beforeAll(async () => {
  built = await startBuilt(["--ephemeral"]);
});
afterAll(async () => await built.stop());

/** Asks as a tool does. @returns the status. */
const ask = async (url: string, method: string, headers: Readonly<Record<string, string>>): Promise<number> => {
  const sent = request(url, { method, headers, agent: false });
  sent.end();
  const [response] = await once(sent, "response");
  response.resume();
  return response.statusCode;
};
const urls = () => [built.ready.adminUrl, built.ready.authUrl, built.ready.consoleUrl];
const requests = async (): Promise<number> =>
  (await caller(() => `${built.ready.consoleUrl}/emulator/v1`)("GET", "/requests")).json.total;

const AXIOS = { Accept: "application/json, text/plain, */*", "User-Agent": "axios/1.13.2" };
test.each([
  ["wait-on 9, start-server-and-test 2", "HEAD", "/", AXIOS],
  ["wait-on 9 with http-get", "GET", "/", AXIOS],
  ["Playwright 1.65", "GET", "/", { Accept: "*/*" }],
  [
    "the kubelet",
    "GET",
    "/readyz",
    { Accept: "*/*", "User-Agent": "kube-probe/1.34", Host: "10.42.0.17:4012", Connection: "close" },
  ],
  [
    "the kubelet",
    "GET",
    "/livez",
    { Accept: "*/*", "User-Agent": "kube-probe/1.34", Host: "10.42.0.17:4012", Connection: "close" },
  ],
  ["curl", "GET", "/readyz", { Accept: "*/*", "User-Agent": "curl/8.14.1" }],
  [
    "an ALB, by HTTP/1.1 and the address",
    "GET",
    "/readyz",
    { "User-Agent": "ELB-HealthChecker/2.0", Host: "10.42.0.17" },
  ],
] as const)("%s finds each listener ready with %s %s, and leaves no request", async (_, method, path, headers) => {
  for (const url of urls()) expect([url, await ask(url + path, method, headers)]).toEqual([url, 200]);
  expect(await requests()).toBe(0);
});

test("the probes of the base for Kubernetes are answered at the address of the pod", async () => {
  const base = await readFile(join(CHECKOUT, "docs/deploy/kubernetes/base/stagedoor.yaml"), "utf8");
  const probes = [...base.matchAll(/(\w+)Probe:\n\s+httpGet:\n\s+path: (\S+)\n\s+port: (\w+)/g)];
  expect(probes.map(([, name]) => name)).toEqual(["startup", "readiness", "liveness"]);
  const { adminUrl: admin, authUrl: auth, consoleUrl: console } = built.ready;
  const listeners: Readonly<Record<string, string>> = { admin, auth, console };
  for (const [, , path, port = ""] of probes)
    expect(await ask(`${listeners[port]}${path}`, "GET", { Host: "10.42.0.17:4012" })).toBe(200);
});

test("Playwright's webServer starts it, waits for the base URL, and stops it", async () => {
  // Within the checkout, where the runner is found.
  const folder = await mkdtemp(join(CHECKOUT, "node_modules/.stagedoor-web-server-"));
  const first = await freePort(3);
  const ports = ["admin", "auth", "console"].map((name, i) => `--${name}-port ${first + i}`).join(" ");
  const url = `http://127.0.0.1:${first + 1}`;
  const webServer = { command: `"${process.execPath}" "${CLI}" start --headless --ephemeral ${ports}`, url };
  await writeFile(
    join(folder, "playwright.config.js"),
    `module.exports = ${JSON.stringify({ reporter: "line", outputDir: join(folder, "results"), webServer })};`,
  );
  await writeFile(
    join(folder, "a.spec.js"),
    `const { expect, test } = require("@playwright/test");
     test("is up", async () => expect((await fetch(${JSON.stringify(url)})).status).toBe(200));`,
  );
  try {
    const playwright = join(CHECKOUT, "node_modules/@playwright/test/cli.js");
    const { stdout } = await run(process.execPath, [playwright, "test", "-c", folder], { env: cleanEnv() });
    expect(stdout).toContain("1 passed");
    await expect(fetch(url)).rejects.toThrow();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
