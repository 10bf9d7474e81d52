import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { constants } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { clean, freshPath, PROGRAM, run, runAlone, SCRIPT } from "../support.ts";

const node = (script: string): string[] => ["--", process.execPath, "-e", script];

describe("exec", () => {
  test("passes five working variables to the command, and its output through unchanged", async () => {
    const script = `
      const { STAGEDOOR_ADMIN_URL: admin, STAGEDOOR_AUTH_URL: auth, STAGEDOOR_CONSOLE_URL: console_, STAGEDOOR_APP_ID: appId } = process.env;
      const headers = { Authorization: "Bearer " + process.env.STAGEDOOR_APP_SECRET };
      const send = (body) => ({ method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
      (async () => {
        const list = await fetch(admin + "/v1/profiles", { headers });
        const made = await fetch(auth + "/v1/users/session", send({ appId, user: { phone: "+12025550199" } }));
        const status = await (await fetch(console_ + "/emulator/v1/status")).json();
        process.stdout.write([list.status, made.status, status.durability, status.dataDir].join(" "));
        process.stderr.write("to err");
      })();`;
    expect(await run(["exec", ...node(script)])).toEqual({
      status: 0,
      signal: null,
      out: "200 200 memory ",
      err: "to err",
    });
  });

  test("exits with the command's status, 128 + n after a signal, 127 for an unknown command", async () => {
    expect((await run(["exec", ...node("process.exit(7)")])).status).toBe(7);
    expect((await run(["exec", ...node('process.kill(process.pid, "SIGTERM")')])).status).toBe(143);
    const missing = await run(["exec", "--", "no-such-command-here"]);
    expect(missing).toMatchObject({ status: 127, out: "" });
    expect(missing.err).toContain("no-such-command-here");
    const quoted = await run(["exec", "no-such-command test"]);
    expect(quoted).toMatchObject({ status: 127, out: "" });
    expect(quoted.err).toContain("without quotes: stagedoor exec -- no-such-command test");
    expect((await run(["exec"])).status).toBe(2);
  });

  test("passes the command's options on, also without --, and uses its own fixtures", async () => {
    const world = freshPath("world.json");
    await writeFile(world, JSON.stringify({ version: 1, apps: [{ appId: "mine", secret: "sk_mine" }] }));
    const script =
      "console.log(process.env.STAGEDOOR_APP_ID, process.env.STAGEDOOR_APP_SECRET, ...process.argv.slice(1))";
    const ended = await run(["exec", "--fixtures", world, ...node(script), "--", "--json", "-x"]);
    expect(ended).toMatchObject({ status: 0, out: "mine sk_mine --json -x\n", err: "" });
    const plain = await run(["exec", process.execPath, "-p", "1 + 1"]);
    expect(plain).toMatchObject({ status: 0, out: "2\n", err: "" });
  });

  test("--export-on-exit saves the final state, and --import starts with it", async () => {
    const [script, file] = ["console.log(process.env.STAGEDOOR_APP_ID)", freshPath("after.json")];
    const world = freshPath("world.json");
    await writeFile(world, JSON.stringify({ apps: [{ appId: "mine", profiles: [{ phone: "+12025550188" }] }] }));
    const signIn = ["--", PROGRAM, ...SCRIPT, "signin", "+12025550188"];
    const first = await run(["exec", "--fixtures", world, "--export-on-exit", file, ...signIn]);
    expect(first).toMatchObject({ status: 0, out: expect.stringMatching(/^ey[^\n]+\n$/), err: "" });
    const after = JSON.parse(await readFile(file, "utf8"));
    expect(after.apps).toMatchObject([{ appId: "mine", sessions: [{}] }]);
    const second = freshPath("second.json");
    expect(await run(["exec", "--import", file, "--export-on-exit", second, ...node(script)])).toMatchObject({
      status: 0,
      out: "mine\n",
      err: "",
    });
    expect(JSON.parse(await readFile(second, "utf8")).apps).toMatchObject([{ appId: "mine", sessions: [{}] }]);
    await writeFile(world, "{}");
    expect(await run(["exec", "--import", world, ...node(script)])).toMatchObject({ status: 1, out: "" });
  });

  test("looks before it leaps: folders are made, and what cannot be written ends it before the command", async () => {
    const script = node("console.log('ran')");
    const folder = freshPath("made");
    const files = ["a/state.json", "b/coverage.json", "c/junit.xml"].map((name) => `${folder}/${name}`);
    const [state = "", coverage = "", junit = ""] = files;
    const ended = await run([
      "exec",
      ...["--export-on-exit", state, "--coverage-out", coverage, "--junit", junit],
      ...script,
    ]);
    expect(ended).toMatchObject({ status: 0, out: "ran\n", err: "" });
    expect(JSON.parse(await readFile(state, "utf8")).apps).toHaveLength(2);
    expect(JSON.parse(await readFile(coverage, "utf8")).total).toBeGreaterThan(10);
    expect(await readFile(junit, "utf8")).toContain("<testsuite");
    for (const option of ["--export-on-exit", "--coverage-out", "--junit"]) {
      const refused = await run(["exec", option, `${state}/x.json`, ...script]);
      expect([option, refused.status, refused.out, refused.err]).toEqual([
        ...[option, 1, ""],
        expect.stringContaining(`${state}/x.json could not be written`),
      ]);
      expect((await run(["exec", option, folder, ...script])).err).toContain("it is a folder");
    }
    // Nothing of the trial stays.
    expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("a first run has yet to write the state that later runs begin with", async () => {
    const file = freshPath("kept.json");
    const both = ["exec", "--import", file, "--export-on-exit", file];
    const signIn = ["--", PROGRAM, ...SCRIPT, "signin", "+12025550100", "--app", "demo-app"];
    expect(await run([...both, ...signIn])).toMatchObject({ status: 0, err: "" });
    expect(await run([...both, ...node("0")])).toMatchObject({ status: 0, err: "" });
    expect(JSON.parse(await readFile(file, "utf8")).apps).toMatchObject([{ sessions: [{}] }, {}]);
    expect((await run(["exec", "--import", freshPath("none.json"), ...node("0")])).status).toBe(1);
  });

  test("what cannot be run is said in a line, never in a stack", async () => {
    const file = freshPath("file");
    await writeFile(file, "not a program");
    for (const [program, status] of [
      ["", 2],
      [`${file}/x`, 127],
      [file, 126],
    ] as const) {
      const ended = await run(["exec", "--", program]);
      expect([program, ended.status, ended.out]).toEqual([program, status, ""]);
      expect(ended.err).not.toMatch(/\bat .*:\d+|node:internal/);
      expect(ended.err.trim().split("\n")).toHaveLength(1);
    }
  });

  test("a working directory that is gone is said in a line", async ({ skip }) => {
    skip(process.platform === "win32", "Windows keeps a directory that is in use");
    const gone = freshPath("gone");
    for (const args of [["exec", "--", "true"], ["status"], ["start"]]) {
      await mkdir(gone);
      const child = spawn("sh", ["-c", `rmdir '${gone}' && exec "$@"`, "sh", PROGRAM, ...SCRIPT, ...args], {
        env: clean(),
        cwd: gone,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [err, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
      expect([args[0], status, err]).toEqual([args[0], 1, "The working directory no longer exists.\n"]);
    }
  });

  test("a proxy in the environment is never asked for loopback, by exec, its command, other commands or the client", async ({
    skip,
  }) => {
    skip(PROGRAM !== process.execPath, "the single executable takes no --import");
    const asked: (string | undefined)[] = [];
    const proxy = createServer((req, res) => {
      asked.push(req.url);
      res.writeHead(418).end();
    });
    proxy.on("connect", (req, socket) => {
      asked.push(req.url);
      socket.end("HTTP/1.1 418 I am a teapot\r\n\r\n");
    });
    const url = `http://127.0.0.1:${await listen(proxy)}`;
    // As Node 24 does with NODE_USE_ENV_PROXY.
    const obey = freshPath("obey-proxy.mjs");
    const undici = JSON.stringify(import.meta.resolve("undici"));
    await writeFile(
      obey,
      `import { EnvHttpProxyAgent, setGlobalDispatcher } from ${undici};\nsetGlobalDispatcher(new EnvHttpProxyAgent());\n`,
    );
    const preload = pathToFileURL(obey).href;
    const env = { HTTP_PROXY: url, https_proxy: url, NO_PROXY: "corp.example", NODE_OPTIONS: `--import=${preload}` };
    const client = pathToFileURL(join(import.meta.dirname, "../../../dist/client/index.js")).href;
    const script = node(`
      const { execFileSync } = require("node:child_process");
      const run = (...args) => execFileSync(process.execPath, [...${JSON.stringify(SCRIPT)}, ...args], { encoding: "utf8" });
      const say = (value) => console.log(String(value).trim().split("\\n")[0].slice(0, 60));
      (async () => {
        say(process.env.NO_PROXY);
        say((await fetch(process.env.STAGEDOOR_AUTH_URL + "/livez")).status);
        say(JSON.parse(run("status", "--json")).name);
        say(run("signin", "+12025550100", "--app", "demo-app").startsWith("ey"));
        // Whoever has not been started by Stagedoor has no NO_PROXY yet.
        process.env.NO_PROXY = "";
        const { connect } = await import(${JSON.stringify(client)});
        const stagedoor = await connect();
        say((await stagedoor.apps.list()).total);
        await fetch("http://elsewhere.example/").then(({ status }) => say(status), say);
        process.exit();
      })();`);
    const ended = await runAlone(["exec", ...script], { env });
    proxy.close();
    expect(ended).toMatchObject({ status: 0, err: "" });
    const list = "corp.example,127.0.0.1,localhost,[::1]";
    expect(ended.out.trim().split("\n").slice(0, 5)).toEqual([list, "200", "stagedoor", "true", "2"]);
    // All the rest of the world is asked through it.
    expect(asked).toEqual([expect.stringContaining("elsewhere.example")]);
  });

  test("exits with 1 and does not run the command if fixtures cannot be read", async () => {
    const ended = await run(["exec", "--fixtures", freshPath("gone.json"), ...node("console.log('ran')")]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain("no such file");
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("passes %s to the command, and exits with it", async (signal) => {
    const script = `process.on("${signal}", () => { console.log("got it"); process.exit(5); }); setInterval(() => {}, 1e6); console.log("up")`;
    const child = spawn(PROGRAM, [...SCRIPT, "exec", ...node(script)], {
      env: clean(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out === "up\n") child.kill(signal);
    });
    expect((await once(child, "close"))[0]).toBe(5);
    expect(out).toBe("up\ngot it\n");
  });

  test.for(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s before the emulator is up ends exec, and the command does not run",
    async (signal, { skip }) => {
      skip(process.platform === "win32", "Windows has no signals");
      const fixtures = freshPath("world.json");
      await writeFile(fixtures, '{"apps":[]}');
      // It sends the signal to itself while it reads the fixtures, before it listens.
      const preload = `import fs from "node:fs"; import { syncBuiltinESMExports } from "node:module";
        const { openSync } = fs;
        fs.openSync = (path, ...more) => {
          if (path === ${JSON.stringify(fixtures)}) process.kill(process.pid, "${signal}");
          return openSync(path, ...more);
        };
        syncBuiltinESMExports();`;
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(preload)}`;
      const ended = await run(["exec", "--fixtures", fixtures, ...node("console.log('ran')")], {
        env: { NODE_OPTIONS },
      });
      expect(ended).toMatchObject({ status: 128 + constants.signals[signal], out: "" });
    },
  );

  test("a command that ignores SIGTERM is killed at the second one, and exec ends", async () => {
    const script = 'process.on("SIGTERM", () => console.log("no")); setInterval(() => {}, 1e6); console.log("up")';
    const child = spawn(PROGRAM, [...SCRIPT, "exec", ...node(script)], {
      env: clean(),
      stdio: ["ignore", "pipe", "inherit"],
    });
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (out === "up\n") child.kill("SIGTERM");
      // Another signal, because the same one within 100 ms would be its echo.
      if (out === "up\nno\n") child.kill("SIGINT");
    });
    expect((await once(child, "close"))[0]).toBe(137);
  });

  test("passes standard input to the command", async () => {
    const ended = await run(["exec", ...node("process.stdin.pipe(process.stdout)")], { input: "through\n" });
    expect(ended).toMatchObject({ status: 0, out: "through\n" });
  });
});
