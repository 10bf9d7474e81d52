/** docs/deploy without Docker: the files of the run stage, in their own directory, started like the image. */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { variableOf } from "#server/config.ts";
import { parseReadyLine, type Ready } from "#test/support/ready.ts";
import { CLI, cleanEnv, temporaryDir } from "./built.ts";
import { entriesOf, imageOf, serviceOf } from "./deploy-files.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(CHECKOUT, "docs/deploy");
const read = (name: string): Promise<string> => readFile(join(FOLDER, name), "utf8");
const run = promisify(execFile);

/** Variables that tell commands and tests the address of an emulator. */
const WHEREABOUTS = ["ADMIN_URL", "AUTH_URL", "CONSOLE_URL", "ACCESS_TOKEN", "JOIN_TOKEN", "SHARDS", "JOB"].map(
  (name) => `STAGEDOOR_${name}`,
);
const ANY_PORTS = { STAGEDOOR_ADMIN_PORT: "0", STAGEDOOR_AUTH_PORT: "0", STAGEDOOR_CONSOLE_PORT: "0" };

test("start knows every option and variable of the image, of Compose and of the page", async () => {
  const { stdout } = await run(process.execPath, [CLI, "start", "--help"]);
  const options = new Set(stdout.match(/(?<= )--[a-z-]+/g));
  const variables = new Set([...[...options].map(variableOf), ...WHEREABOUTS]);
  for (const name of ["Dockerfile", "Dockerfile.single", "compose.yaml", "README.md"]) {
    const used = new Set((await read(name)).match(/STAGEDOOR_[A-Z_]+/g));
    expect(used.size, name).toBeGreaterThan(0);
    for (const variable of used) expect([...variables], `${name}: ${variable}`).toContain(variable);
  }
  const { command } = serviceOf(await read("compose.yaml"), "shard");
  for (const [at, word] of command.entries())
    expect(at === 0 ? ["start"] : [...options], `compose.yaml: ${word}`).toContain(word);
  const [image, single] = [imageOf(await read("Dockerfile")), imageOf(await read("Dockerfile.single"))];
  expect(image.command).toEqual(["start"]);
  // The same image with less in it.
  expect({ ...single, copied: [], workDir: "" }).toEqual({
    ...{ ...image, copied: [], workDir: "" },
    entryPoint: ["/stagedoor"],
    healthCheck: ["/stagedoor", "status"],
  });
});

test("nothing runs in the last stage, so that an image for another processor needs no emulation", async () => {
  const text = await read("Dockerfile");
  const [, build = "", last = ""] = text.split(/^FROM /m);
  expect(build).toMatch(/^--platform=\$BUILDPLATFORM .*\nWORKDIR/);
  expect(last).not.toMatch(/^RUN /m);
  for (const name of ["LICENSE", "THIRD-PARTY-LICENSES.txt", "USER 1000:1000", "HEALTHCHECK"])
    expect(last).toContain(name);
});

test("the build context contains everything that the build reads", async () => {
  const { copied } = imageOf(await read("Dockerfile"));
  const given = entriesOf(await read("Dockerfile.dockerignore"));
  const sources = (await readdir(CHECKOUT)).filter((name) =>
    /^(src-\w+|tools|tsconfig.*|electron\.vite\.config\.ts)$/.test(name),
  );
  const needed = [...sources, ".npmrc", "package-lock.json"];
  const fromContext = copied.filter(({ built }) => !built).map(({ path }) => path);
  expect(given).toEqual(expect.arrayContaining([...needed, ...fromContext]));
});

describe("the run stage", () => {
  beforeEach(({ skip }) => skip(process.platform !== "linux", "the image is one of Linux"));
  let home = "";
  let remove = async (): Promise<void> => {};
  let image: ReturnType<typeof imageOf>;
  beforeAll(async () => {
    const temporary = await temporaryDir();
    [home, remove] = [temporary.dir, temporary.remove];
    image = imageOf(await read("Dockerfile"));
    for (const { path, to } of image.copied) {
      const target = join(home, "program", to.endsWith("/") ? join(to, basename(path)) : to);
      await mkdir(dirname(target), { recursive: true });
      await cp(join(CHECKOUT, path), target, { recursive: true });
    }
  });
  afterAll(() => remove());

  const inFolder = (words: readonly string[]): string[] =>
    words.map((word) => word.replace(image.workDir, join(home, "program")));
  const environment = (data: string, more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv => ({
    ...cleanEnv(),
    PATH: `${dirname(process.execPath)}${delimiter}${process.env["PATH"]}`,
    ...image.variables,
    ...ANY_PORTS,
    ...more,
    STAGEDOOR_JSON: "1",
    STAGEDOOR_DATA: join(home, data, "stagedoor"),
  });

  const start = (data: string, more?: Readonly<Record<string, string>>) => {
    const [program = "", ...args] = inFolder([...image.entryPoint, ...image.command]);
    const child = spawn(program, args, { cwd: home, env: environment(data, more), stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const ended = once(child, "close").then(([status]) => ({ status, errors }));
    const ready = new Promise<Ready>((resolve, reject) => {
      createInterface(child.stdout).once("line", (line) => {
        const found = parseReadyLine(line);
        if (found !== undefined) resolve(found);
      });
      ended.then((how) => reject(new Error(JSON.stringify(how))), reject);
    });
    ready.catch(() => {});
    return { child, ready, ended, errors: () => errors };
  };

  const health = async (consoleUrl: string): Promise<number> => {
    const [, ...args] = image.healthCheck;
    const child = spawn(process.execPath, args, { env: { ...cleanEnv(), STAGEDOOR_CONSOLE_URL: consoleUrl } });
    const [status]: number[] = await once(child, "exit");
    return status ?? -1;
  };

  test("starts from its own files, is healthy, serves the console, and exits with 0 on SIGTERM", async () => {
    const { child, ready, ended } = start("first");
    const { pid, consoleUrl, dataDir } = await ready;
    // The entry point has replaced itself, so in a container the server is process 1 and gets the signal.
    expect(pid).toBe(child.pid);
    expect(dataDir).toBe(join(home, "first/stagedoor"));
    expect(await health(consoleUrl)).toBe(0);
    expect(await (await fetch(consoleUrl)).text()).toContain("Stagedoor");
    const status = [join(home, "program/dist/server/cli.js"), "status", "--url", consoleUrl, "--json"];
    expect((await run(process.execPath, status, { env: cleanEnv() })).stdout).toContain(consoleUrl);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0 });
    expect(await health(consoleUrl)).toBe(1);
    expect(await readdir(dataDir)).toEqual(["stagedoor.json"]);
  });

  test("allows one container per data directory even if process ids mean nothing, and takes over a killed one's at once", async () => {
    const first = start("shared");
    const { dataDir } = await first.ready;
    // As one container's lock looks in another: both have the same process id.
    await writeFile(join(dataDir, "lock.json"), JSON.stringify({ pid: 0, instance: "0".repeat(24), consoleUrl: null }));
    const second = start("shared");
    expect(await Promise.race([second.ended, second.ready])).toMatchObject({ status: 1 });
    expect(second.errors()).toContain("in use by another container");
    first.child.kill("SIGKILL");
    await first.ended;
    const third = start("shared");
    await third.ready;
    third.child.kill("SIGTERM");
    expect(await third.ended).toMatchObject({ status: 0 });
  });

  test("opened as by Compose, accepts the secrets of its fixtures, rejects the demo's, and the console requires its token", async () => {
    const fixtures = join(home, "own.json");
    const app = (appId: string, secret: string) => ({ appId, name: appId, secret, strategy: "phone" });
    const world = { version: 1, apps: [app("own", "sk_of_our_own"), app("careless", "sk_local_demo")] };
    await writeFile(fixtures, JSON.stringify(world));
    const { variables } = serviceOf(await read("compose.yaml"), "stagedoor");
    const { child, ready, ended } = start("open", { ...variables, STAGEDOOR_FIXTURES: fixtures });
    const { adminUrl, consoleUrl, accessToken: token } = await ready;
    const profiles = (secret: string) =>
      fetch(`${adminUrl}/v1/profiles`, { headers: { Authorization: `Bearer ${secret}` } });
    expect((await profiles("sk_of_our_own")).status).toBe(200);
    expect((await profiles("sk_local_demo")).status).toBe(401);
    expect(await health(consoleUrl)).toBe(0);
    const status = (headers: Record<string, string>) => fetch(`${consoleUrl}/emulator/v1/status`, { headers });
    expect((await status({})).status).toBe(401);
    expect((await status({ Authorization: `Bearer ${token}` })).status).toBe(200);
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ status: 0 });
  });
});
