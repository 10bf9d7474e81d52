import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { findStartLine } from "#contract/control/ready.ts";
import { listen } from "#test/hosts/listen.ts";
import { parseReadyLine } from "#test/support/ready.ts";
import { clean, type Ended, FREE_PORTS, freshPath, PROGRAM, run, SCRIPT, sendCode, start } from "../support.ts";

/** The single line of a failed start with `--json`; its message is what people read on standard error. */
const failureIn = ({ out, err }: Ended) => {
  expect(out.trimEnd().split("\n")).toHaveLength(1);
  const line = findStartLine(out);
  if (line?.event !== "failed") throw new Error(`no failure: ${out}${err}`);
  expect(err).toContain(line.message);
  return line;
};

describe("start", () => {
  test("--json prints one line when the listeners are up, and nothing else", async () => {
    const server = await start(["--json", "--data", freshPath()]);
    const [line] = await server.printed(/^.*\n/);
    expect(parseReadyLine(line)).toEqual(server.ready);
    expect(server.ready.pid).toBe(server.child.pid);
    for (const url of [server.ready.adminUrl, server.ready.authUrl, server.ready.consoleUrl])
      expect((await fetch(`${url}/livez`)).status).toBe(200);
    expect((await sendCode(server.ready)).status).toBe(202);
    expect((await server.stop()).status).toBe(0);
    expect(server.out()).toBe(line);
    expect(server.err()).toBe("");
  });

  test("prints the URLs and a working curl line, and later the passcode", async () => {
    const server = await start(["--data", freshPath()]);
    const { adminUrl, authUrl, consoleUrl, dataDir } = server.ready;
    const [curl] = await server.printed(/curl .*/);
    const shown = server.out();
    for (const part of [adminUrl, authUrl, consoleUrl, dataDir, "demo-app", "sk_local_demo"])
      expect(shown).toContain(part);
    const { stdout } = await promisify(execFile)("sh", ["-c", curl.replace("curl -i", "curl -s -i")]);
    expect(stdout).toContain("202 Accepted");
    const [, code = ""] = await server.printed(/^\d\d:\d\d:\d\d {2}Demo {2}\+12025550100 {2}(\d{6}) {2}valid 10 min$/m);
    const asked = await run(["passcode", "+12025550100", "--data", dataDir]);
    expect(asked).toMatchObject({ status: 0, out: `${code}\n`, err: "" });
    expect(server.out()).not.toContain("\u001B");
    await server.stop();
  });

  test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "exits with 0 within 2 s after %s, with an event stream open",
    async (signal) => {
      const server = await start(["--data", freshPath()]);
      const stream = await fetch(`${server.ready.consoleUrl}/emulator/v1/events`);
      const half = connect(Number(new URL(server.ready.authUrl).port), "127.0.0.1");
      half.on("error", () => {});
      half.write("POST /v1/users/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{");
      await once(half, "connect");
      const { status, ms } = await server.stop(signal);
      expect(status).toBe(0);
      // Far above the promised 2 s, for a busy machine; far below the 30 s that a request may take.
      expect(ms).toBeLessThan(20_000);
      await stream.body?.cancel().catch(() => {});
      half.destroy();
    },
  );

  test("exits at once on a second signal", async () => {
    const server = await start(["--data", freshPath()]);
    const half = connect(Number(new URL(server.ready.authUrl).port), "127.0.0.1");
    half.on("error", () => {});
    half.write(
      "POST /v1/users/session HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
        "Content-Length: 9\r\nExpect: 100-continue\r\n\r\n{",
    );
    // The server has the request, and waits for the rest. A connection without one would not keep it from stopping.
    expect(String((await once(half, "data"))[0])).toContain("100 Continue");
    // Repeats the signal every few milliseconds: the first ones count as one key press.
    const again = setInterval(() => server.child.kill("SIGTERM"), 20);
    const { status, ms } = await server.stop();
    clearInterval(again);
    half.destroy();
    // One more signal may end it while it exits: from Node 26 on it does. To a shell both are 143.
    expect(status ?? (server.child.signalCode === "SIGTERM" && 143)).toBe(143);
    expect(ms).toBeLessThan(20_000);
  });

  test("names port and flag if a port is in use, and starts nothing", async () => {
    const taken = createServer();
    const port = await listen(taken);
    for (const flag of ["--admin-port", "--auth-port", "--console-port"]) {
      const data = freshPath();
      const ended = await run(["start", ...FREE_PORTS, flag, String(port), "--data", data, "--json"]);
      expect(ended.status).toBe(1);
      expect(failureIn(ended)).toMatchObject({ code: "port_in_use", port });
      expect(ended.err).toContain(String(port));
      expect(ended.err).toContain(flag);
      await expect(stat(join(data, "lock.json"))).rejects.toThrow("ENOENT");
    }
    taken.close();
  });

  test("refuses a directory in use, naming the holder's pid and console", async () => {
    const data = freshPath();
    const holder = await start(["--data", data]);
    const ended = await run(["start", ...FREE_PORTS, "--data", data]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain(String(holder.ready.pid));
    expect(ended.err).toContain(holder.ready.consoleUrl);
    const told = await run(["start", ...FREE_PORTS, "--data", data, "--json"]);
    expect(told).toMatchObject({ status: 1, err: ended.err });
    const { pid, consoleUrl } = holder.ready;
    expect(failureIn(told)).toMatchObject({ code: "data_in_use", holder: { pid, consoleUrl } });
    await holder.stop();
  });

  test("exits with 3 on damaged data, and leaves it byte for byte", async () => {
    const data = freshPath();
    await (await start(["--data", data])).stop();
    const file = join(data, "stagedoor.json");
    const damaged = (await readFile(file, "utf8")).replace('"profiles":[', '"profiles":[[');
    await writeFile(file, damaged);
    const ended = await run(["start", ...FREE_PORTS, "--data", data, "--json"]);
    expect(ended.status).toBe(3);
    expect(failureIn(ended)).toMatchObject({ code: "data_damaged", file, offset: expect.any(Number) });
    expect(ended.err).toMatch(/stagedoor\.json, byte \d+/);
    expect(await readFile(file, "utf8")).toBe(damaged);
  });

  test("exits with 2 on invalid values, naming flag and variable", async () => {
    const ended = await run(["start", "--auth-port", "many"], { env: { STAGEDOOR_DURABILITY: "granite" } });
    expect(ended).toMatchObject({ status: 2, out: "" });
    expect(ended.err).toContain("--auth-port (or STAGEDOOR_AUTH_PORT)");
    expect(ended.err).toContain("STAGEDOOR_DURABILITY (or --durability)");
    const told = await run(["start", "--auth-port", "many", "--json"]);
    expect(failureIn(told)).toMatchObject({ code: "invalid_options" });
    const stranger = await run(["start", "--auth-prot", "1"]);
    expect(stranger).toMatchObject({ status: 2, out: "" });
    expect(stranger.err).toContain("--auth-port");
  });

  test("takes options from the environment, and the last of a repeated option", async () => {
    const [data, other] = [freshPath(), freshPath()];
    const env = { STAGEDOOR_DATA: other, STAGEDOOR_JSON: "1", STAGEDOOR_DURABILITY: "disk" };
    const server = await start(["--data", freshPath(), "--data", data], env);
    expect(server.ready.dataDir).toBe(data);
    await server.printed(/\n/);
    expect(parseReadyLine(server.out())).toEqual(server.ready);
    const status = await (await fetch(`${server.ready.consoleUrl}/emulator/v1/status`)).json();
    expect(status.durability).toBe("disk");
    await server.stop();
    await expect(stat(other)).rejects.toThrow("ENOENT");
  });

  test("--ephemeral keeps nothing; of --ephemeral and --durability the last counts", async () => {
    const data = freshPath();
    const server = await start(["--durability", "disk", "--ephemeral", "--data", data, "--json"]);
    const status = await (await fetch(`${server.ready.consoleUrl}/emulator/v1/status`)).json();
    expect(status).toMatchObject({ durability: "memory", dataDir: null });
    await server.stop();
    await expect(stat(data)).rejects.toThrow("ENOENT");
    const kept = await start(["--ephemeral", "--durability", "process", "--data", data, "--json"]);
    expect(kept.ready.dataDir).toBe(data);
    await kept.stop();
  });

  test("uses the platform's directory without --data", async () => {
    const share = freshPath("share");
    const server = await start(["--json"], { XDG_DATA_HOME: share, APPDATA: share });
    if (process.platform === "linux") expect(server.ready.dataDir).toBe(join(share, "stagedoor"));
    await server.stop();
  });

  test("fixtures: joined from several files, rejected as a whole, ignored if there is data, loaded again with --reset", async () => {
    const [data, one, two] = [freshPath(), freshPath("one.json"), freshPath("two.json")];
    await writeFile(
      one,
      JSON.stringify({ version: 1, apps: [{ appId: "one", secret: "sk_one", profiles: [{ phone: "+12025550101" }] }] }),
    );
    await writeFile(two, JSON.stringify({ version: 1, apps: [{ appId: "two", secret: "sk_two" }] }));
    const bad = freshPath("bad.json");
    await writeFile(
      bad,
      JSON.stringify({ version: 1, apps: [{ appId: "one", profiles: [{ phone: "12" }, { emial: "x" }] }] }),
    );
    const refused = await run(["start", ...FREE_PORTS, "--data", data, "--fixtures", one, bad]);
    expect(refused).toMatchObject({ status: 1, out: "" });
    expect(refused.err).toContain("apps[0].profiles[1].emial");
    expect(refused.err).toContain('"email"');
    const ids = async (console: string): Promise<string[]> =>
      (await (await fetch(`${console}/emulator/v1/apps`)).json()).items.map((app: { appId: string }) => app.appId);
    const first = await start(["--data", data, "--fixtures", one, "--fixtures", two]);
    expect(await ids(first.ready.consoleUrl)).toEqual(["one", "two"]);
    expect(first.out()).toContain("sk_one");
    await first.stop();
    const users = freshPath("users.csv");
    await writeFile(users, "Phone,Notes\n+12025550123,new\n");
    const again = await start([
      "--data",
      data,
      "--fixtures",
      two,
      users,
      "--rest",
      "drop",
      "--map",
      "Notes=metadata.n",
    ]);
    expect(await ids(again.ready.consoleUrl)).toEqual(["one", "two"]);
    const how = "--map Notes=metadata.n --rest drop";
    expect(again.err()).toBe(
      `--fixtures was ignored: ${data} already contains data. To add to it, run \`stagedoor seed ${two} ${how}\` and \`stagedoor seed ${users} ${how} --app ID\`; to delete it and start with the fixtures, add --reset.\n`,
    );
    await again.stop();
    const anew = await start(["--data", data, "--fixtures", two, "--reset"]);
    expect(await ids(anew.ready.consoleUrl)).toEqual(["two"]);
    expect(anew.err()).toBe("");
    await anew.stop();
  });

  test("continues when its reader goes away", async () => {
    const server = await start(["--data", freshPath()]);
    server.child.stdout?.destroy();
    server.child.stderr?.destroy();
    for (let i = 0; i < 3; i++) expect((await sendCode(server.ready)).status).toBe(202);
    expect((await fetch(`${server.ready.consoleUrl}/livez`)).status).toBe(200);
    expect((await server.stop()).status).toBe(0);
  });

  test("says on STAGEDOOR_READY_FD why it could not start", async () => {
    const data = freshPath();
    const holder = await start(["--data", data]);
    const child = spawn(PROGRAM, [...SCRIPT, "start", ...FREE_PORTS, "--data", data], {
      env: clean({ STAGEDOOR_READY_FD: "3" }),
      stdio: ["ignore", "ignore", "ignore", "pipe"],
    });
    const [line] = await once(child.stdio[3] ?? expect.unreachable(), "data");
    const { pid, consoleUrl } = holder.ready;
    expect(JSON.parse(String(line))).toMatchObject({
      event: "failed",
      code: "data_in_use",
      holder: { pid, consoleUrl },
    });
    await holder.stop();
  });

  test("reports a bad STAGEDOOR_READY_FD in one line, and starts", async () => {
    const child = spawn(PROGRAM, [...SCRIPT, "start", ...FREE_PORTS, "--ephemeral", "--json"], {
      env: clean({ STAGEDOOR_READY_FD: "77" }),
      stdio: ["ignore", "pipe", "pipe"],
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => {
      err += chunk.toString();
    });
    const [line] = await once(child.stdout, "data");
    expect(parseReadyLine(String(line))?.event).toBe("ready");
    child.kill();
    expect((await once(child, "exit"))[0]).toBe(0);
    expect(err).toContain("STAGEDOOR_READY_FD");
  });
});
