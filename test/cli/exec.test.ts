import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { clean, freshPath, PROGRAM, run, SCRIPT } from "./support.ts";

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
    const nowhere = `${freshPath("none")}/x.json`;
    expect(await run(["exec", "--export-on-exit", nowhere, ...node(script)])).toMatchObject({ status: 1 });
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

  test("passes standard input to the command", async () => {
    const ended = await run(["exec", ...node("process.stdin.pipe(process.stdout)")], { input: "through\n" });
    expect(ended).toMatchObject({ status: 0, out: "through\n" });
  });
});
