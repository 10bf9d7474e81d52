/** Stagedoor in a container whose ports are published, and a container that reads codes from its host. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "#test/support/ports.ts";
import { CLI, cleanEnv, hostsOf, startBuilt } from "./built.ts";
import { serviceOf } from "./deploy-files.ts";
import { overHttp1 } from "./outside/ask.ts";
import { forward } from "./outside/forward.ts";
import { createNamespace, type Namespace } from "./outside/namespace.ts";
import { APP, tour } from "./outside/tour.ts";

const COMPOSE = fileURLToPath(new URL("../../docs/deploy/compose.yaml", import.meta.url));
const TOKEN = "for-the-tests-alone";
const ADA = APP.profiles[0].phone;
const run = promisify(execFile);

let network: Namespace | string;
let dir = "";
let fixtures = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-container-"));
  fixtures = join(dir, "qa.json");
  await writeFile(fixtures, JSON.stringify({ apps: [APP] }));
  network = await createNamespace();
});
afterAll(async () => {
  if (typeof network !== "string") await network.remove();
  await rm(dir, { recursive: true, force: true });
});

test("in a container as compose.yaml starts it, published under other ports: everything", async ({ skip }) => {
  if (typeof network === "string") return skip(network);
  const { variables } = serviceOf(await readFile(COMPOSE, "utf8"), "stagedoor");
  const first = await freePort(3);
  const urls = {
    admin: `http://127.0.0.1:${first}`,
    auth: `http://127.0.0.1:${first + 1}`,
    console: `http://127.0.0.1:${first + 2}`,
  };
  const given = Object.entries(urls).flatMap(([name, url]) => [`--public-${name}-url`, url]);
  const env = { ...cleanEnv(), ...variables, STAGEDOOR_ACCESS_TOKEN: TOKEN };
  const built = await startBuilt(["--ephemeral", "--fixtures", fixtures, ...given], env, network.wrap);
  const ports = hostsOf(built.ready).map((host) => Number(new URL(`http://${host}`).port));
  const to = network.inside;
  const published = await Promise.all(ports.map((port, i) => forward(first + i, { host: to, port })));
  try {
    const inside = [...hostsOf(built.ready), ...ports.map((port) => `${to}:${port}`)];
    await tour({ client: overHttp1(), urls, headers: { Authorization: `Bearer ${TOKEN}` }, inside });
  } finally {
    for (const { stop } of published) await stop();
    await built.stop();
  }
});

test.for([
  ["its loopback, as Docker Desktop has it", "127.0.0.1"],
  ["all its addresses, as with host-gateway", "0.0.0.0"],
] as const)(
  "a container reads a code from its host, whose console listens on %s",
  async ([, consoleHost], { skip }) => {
    if (typeof network === "string") return skip(network);
    const env = { ...cleanEnv(), STAGEDOOR_ACCESS_TOKEN: TOKEN };
    const start = (...more: string[]) =>
      startBuilt(["--ephemeral", "--fixtures", fixtures, "--console-host", consoleHost, ...more], env);
    const { host, knowing } = network;
    const words = await knowing(dir, { "host.docker.internal": host });
    /** Reads the newest code of Ada inside, from a Stagedoor on the host. */
    const read = async (more: readonly string[]) => {
      const built = await start(...more);
      const port = Number(new URL(built.ready.consoleUrl).port);
      // Docker Desktop's name leads to the loopback of the host.
      const gateway = consoleHost === "127.0.0.1" ? await forward(port, { host: "127.0.0.1", port }, host) : undefined;
      try {
        const user = { appId: APP.appId, user: { phone: ADA } };
        const method = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(user) };
        expect((await fetch(`${built.ready.authUrl}/v1/users/session`, method)).status).toBe(202);
        const inside = { ...env, STAGEDOOR_CONSOLE_URL: `http://host.docker.internal:${port}` };
        const [program = "", ...args] = [...words, process.execPath, CLI, "passcode", ADA];
        return await run(program, args, { env: inside }).catch((error: unknown) => error);
      } finally {
        await gateway?.stop();
        await built.stop();
      }
    };
    expect(await read(["--allow-host", "host.docker.internal"])).toMatchObject({
      stdout: expect.stringMatching(/^\d{6}\n$/),
    });
    expect(await read([])).toMatchObject({ code: 1, stderr: expect.stringContaining("--allow-host") });
  },
);
