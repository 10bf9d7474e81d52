import { execFileSync, spawnSync } from "node:child_process";
import { openSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { parseReadyLine } from "#test/support/ready.ts";
import { clean, freshPath, PROGRAM, run, SCRIPT, type Started, send, sendCode, start } from "../support.ts";

let server: Started;
const data = () => ["--data", server.ready.dataDir];
const profiles = async (appId: string): Promise<Record<string, unknown>[]> =>
  (await (await fetch(`${server.ready.consoleUrl}/emulator/v1/profiles?appId=${appId}&limit=1000`)).json()).items;
const file = async (name: string, content: string): Promise<string> => {
  const path = freshPath(name);
  await writeFile(path, content);
  return path;
};

beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
beforeEach(async () => {
  await send("DELETE", `${server.ready.consoleUrl}/emulator/v1/state`);
});

describe("finding the emulator", () => {
  test("works by --url, by environment variable and by lock file", async () => {
    await sendCode(server.ready);
    const url = server.ready.consoleUrl;
    const found = await Promise.all([
      run(["passcode", "+12025550100", "--url", url]),
      run(["passcode", "+12025550100", "--url", `${url}/`], { env: { STAGEDOOR_CONSOLE_URL: "http://127.0.0.1:1" } }),
      run(["passcode", "+12025550100"], { env: { STAGEDOOR_CONSOLE_URL: url } }),
      run(["passcode", "+12025550100", ...data()]),
      run(["passcode", "+12025550100"], { env: { STAGEDOOR_DATA: server.ready.dataDir } }),
    ]);
    for (const ended of found)
      expect(ended).toMatchObject({ status: 0, out: expect.stringMatching(/^\d{6}\n$/), err: "" });
  });

  test("exits with 1 and one clear line if there is none, or another program", async () => {
    const oneLine = expect.stringMatching(/^[^\n]+\n$/);
    const gone = await run(["passcode", "+1", "--url", "http://127.0.0.1:1"]);
    expect(gone).toMatchObject({ status: 1, out: "", err: oneLine });
    expect(gone.err).toContain("http://127.0.0.1:1");
    const nobody = await run(["reset", "--data", freshPath()]);
    expect(nobody).toMatchObject({ status: 1, out: "", err: oneLine });
    const bad = await run(["export", "--url", "nonsense"]);
    expect(bad).toMatchObject({ status: 2, out: "", err: oneLine });
    const other = createServer((_, res) => res.end("<html>"));
    const stranger = await run(["export", "--url", `http://127.0.0.1:${await listen(other)}`]);
    expect(stranger).toMatchObject({ status: 1, out: "", err: oneLine });
    other.closeAllConnections();
    other.close();
  });
});

test("an open console requires its token", async () => {
  const open = await start(["--console-host", "127.0.0.1", "--data", freshPath()]);
  const [address, token = ""] = await open.printed(/http:\S+access_token=(\S+)/);
  const found = ["export", "--data", open.ready.dataDir];
  expect(await run(found)).toMatchObject({ status: 1, out: "", err: expect.stringContaining("access token") });
  expect(await run(found, { env: { STAGEDOOR_ACCESS_TOKEN: token } })).toMatchObject({ status: 0, err: "" });
  expect(await run(["export", "--url", address])).toMatchObject({ status: 0, err: "" });
  // A window opened by the user who started it gets the token separately from the URL.
  expect([open.ready.consoleUrl, open.ready.accessToken]).toEqual([new URL(address).origin, token]);
  await open.stop();
});

test("--json includes the token in the line", async () => {
  const open = await start(["--console-host", "127.0.0.1", "--json", "--ephemeral"]);
  expect(open.ready.accessToken).toMatch(/^[\w-]{32}$/);
  await open.printed(/\n/);
  expect(parseReadyLine(open.out())).toEqual(open.ready);
  expect(JSON.parse(open.out())).toMatchObject({ consoleUrl: open.ready.consoleUrl, dataDir: null });
  expect(open.err()).toBe("");
  const closed = await start(["--json", "--ephemeral"]);
  expect(closed.ready).not.toHaveProperty("accessToken");
  await Promise.all([open.stop(), closed.stop()]);
});

describe("passcode", () => {
  test("prints only the newest active code; exits with 1 without one", async () => {
    expect(await run(["passcode", "+12025550100", ...data()])).toMatchObject({
      ...{
        status: 1,
        out: "",
        err: "No active passcode for +12025550100. One was issued, but it has since been deleted.\n",
      },
    });
    await sendCode(server.ready);
    await sendCode(server.ready);
    const { out } = await run(["passcode", "+12025550100", ...data()]);
    const newest = await fetch(`${server.ready.consoleUrl}/emulator/v1/passcodes?limit=1`);
    expect(out).toBe(`${(await newest.json()).items[0].code}\n`);
    const elsewhere = await run(["passcode", "+12025550100", "--app", "demo-mail", ...data()]);
    expect(elsewhere).toMatchObject({ status: 1, err: expect.stringContaining("must be an email address") });
    const other = await run(["passcode", "+12025550177", ...data()]);
    expect(other.err).toContain("Passcodes arrived for +12025550100 (demo-app) instead.");
    const id = (await (await fetch(`${server.ready.consoleUrl}/emulator/v1/passcodes?limit=1`)).json()).items[0].id;
    await fetch(`${server.ready.consoleUrl}/emulator/v1/passcodes/${id}/expire`, { method: "POST" });
    const { err } = await run(["passcode", "+12025550100", ...data()]);
    expect(err).toMatch(
      /^No active passcode for \+12025550100\. One of demo-app was issued, but it expired at 20\S+Z\.\n$/,
    );
  });

  test("--wait waits for a missing one, for the given time", async () => {
    const asked = run(["passcode", "+12025550101", "--wait", "20", ...data()]);
    const log = `${server.ready.consoleUrl}/emulator/v1/requests`;
    expect((await fetch(log)).status).toBe(200);
    await sendCode(server.ready, "+12025550101");
    expect(await asked).toMatchObject({ status: 0, out: expect.stringMatching(/^\d{6}\n$/) });
    const before = performance.now();
    expect(await run(["passcode", "+12025550102", "--wait", "300ms", ...data()])).toMatchObject({
      status: 124,
      out: "",
    });
    expect(performance.now() - before).toBeGreaterThan(300);
    expect(await run(["passcode", "+1", "--wait", "soon", ...data()])).toMatchObject({ status: 2, out: "" });
  });
});

describe("export and reset", () => {
  test("a re-imported export is identical, byte for byte", async () => {
    const first = freshPath("first.json");
    const second = freshPath("second.json");
    expect(await run(["export", first, ...data()])).toMatchObject({ status: 0, out: "" });
    expect(await run(["seed", first, "--replace", ...data()])).toMatchObject({ status: 0, out: "" });
    await run(["export", second, ...data()]);
    const text = await readFile(first, "utf8");
    expect(await readFile(second, "utf8")).toBe(text);
    expect(text.endsWith("}\n")).toBe(true);
    expect((await run(["export", ...data()])).out).toBe(text);
  });

  test("--app selects one app, --volatile adds passcodes; an unknown app is reported", async () => {
    await sendCode(server.ready);
    const one = JSON.parse((await run(["export", "--app", "demo-app", "--volatile", ...data()])).out);
    expect(one.apps).toHaveLength(1);
    expect(one.apps[0].passcodes).toHaveLength(1);
    expect(await run(["export", "--app", "nobody", ...data()])).toMatchObject({ status: 1, out: "" });
  });

  test("a file that cannot be written is reported, and leaves nothing behind", async () => {
    const ended = await run(["export", `${freshPath("nowhere")}/world.json`, ...data()]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain("could not be written");
  });

  test("reset restores the fixtures, also for one app", async () => {
    await sendCode(server.ready, "+12025550188");
    await send("POST", `${server.ready.authUrl}/v1/users/session`, {
      appId: "demo-mail",
      user: { email: "x@example.com" },
    });
    const [phones, mails] = [(await profiles("demo-app")).length, (await profiles("demo-mail")).length];
    const one = await run(["reset", "--app", "demo-app", ...data()]);
    expect(one).toMatchObject({ status: 0, err: "" });
    expect(one.out).toMatch(
      /^demo-app was reset .*\nRemoved, .*: 1 profile of demo-app\.\nUndo: stagedoor rewind --undo \d+\n$/,
    );
    expect(await profiles("demo-app")).toHaveLength(phones - 1);
    expect(await profiles("demo-mail")).toHaveLength(mails);
    expect(await run(["reset", ...data()])).toMatchObject({ status: 0, err: "" });
    expect(await profiles("demo-mail")).toHaveLength(mails - 1);
    expect(await run(["reset", "--app", "nobody", ...data()])).toMatchObject({ status: 1 });
  });
});

describe("seed", () => {
  test("reports the first syntax error of a file, else everything wrong: keys, types, times and references", async () => {
    const bad = freshPath("bad.jsonc");
    const errorsOf = async (text: string) => {
      await writeFile(bad, text);
      const ended = await run(["seed", bad, ...data()]);
      expect(ended).toMatchObject({ status: 1, out: "" });
      return ended.err.replaceAll(bad, "bad").trim().split("\n");
    };
    const text = `{ "apps": [{ "appId": "demo-app",
  "profiles": [{ "phone": 5, "nmae": "x" },
    { "phone": "12", "createdAt": "yesterday" }],
  "connections": [{ "user": "+12025550198", "name": "c" }] }] }`;
    expect(await errorsOf(text.replace("5,", "5"))).toEqual(["bad:2:29: Expected a comma", "Nothing was changed."]);
    expect(await errorsOf(text)).toEqual([
      "bad:2:27: apps[0].profiles[0].phone: must be a string",
      'bad:2:38: apps[0].profiles[0].nmae: is unknown; did you mean "name"?',
      "bad:3:16: apps[0].profiles[1].phone: must be a phone number in E.164 form, such as +12025550100",
      expect.stringMatching(/^bad:3:35: apps\[0\]\.profiles\[1\]\.createdAt: must be an instant .* -30d/),
      "bad:4:29: apps[0].connections[0].user: does not match any profile of this app",
      "Nothing was changed.",
    ]);
    await writeFile(bad, '{ "extends": "./gone.json" }');
    expect((await run(["seed", bad, "--url", "http://127.0.0.1:9"])).err).toContain("gone.json: no such file");
  });

  test("merges JSON states; several files are one import", async () => {
    const one = await file(
      "one.json",
      JSON.stringify({
        version: 1,
        apps: [{ appId: "shop", secret: "sk_shop", profiles: [{ phone: "+12025550110" }] }],
      }),
    );
    const two = await file(
      "two.json",
      JSON.stringify({
        version: 1,
        apps: [
          {
            appId: "shop",
            profiles: [{ phone: "+12025550111", metadata: { home_town: "Bath" } }],
            connections: [{ user: "+12025550110", name: "Bank" }],
          },
        ],
      }),
    );
    const ended = await run(["seed", one, two, ...data()]);
    expect(ended).toMatchObject({ status: 0, out: "" });
    expect(ended.err).toContain("2 profiles and 1 connection into 1 app");
    const made = await profiles("shop");
    expect(made).toMatchObject([{ phone: "+12025550110" }, { phone: "+12025550111", metadata: { homeTown: "Bath" } }]);
    expect(await profiles("demo-app")).not.toHaveLength(0);
  });

  test("CSV and NDJSON rows need an app name if there are several apps", async () => {
    const csv = await file("users.csv", "\uFEFFname,phone,metadata.plan\nGrace,+12025550120,pro\nJoan,+12025550121,\n");
    const unnamed = await run(["seed", csv, ...data()]);
    expect(unnamed).toMatchObject({ status: 2, out: "" });
    expect(unnamed.err).toContain("demo-app, demo-mail");
    const before = (await profiles("demo-app")).length;
    expect(await run(["seed", csv, "--app", "demo-app", ...data()])).toMatchObject({ status: 0 });
    expect((await profiles("demo-app")).slice(before)).toMatchObject([
      { name: "Grace", phone: "+12025550120", metadata: { plan: "pro" } },
      { name: "Joan", phone: "+12025550121", metadata: null },
    ]);
    const lines = '{"email":"n1@example.com","metadata":{"n":1}}\n{"email":"n2@example.com"}\n';
    const piped = await run(["seed", "-", "--format", "ndjson", "--app", "demo-mail", ...data()], { input: lines });
    expect(piped).toMatchObject({ status: 0 });
    expect(await profiles("demo-mail")).toContainEqual(
      expect.objectContaining({ email: "n1@example.com", metadata: { n: 1 } }),
    );
    expect(await run(["seed", csv, "--app", "nobody", ...data()])).toMatchObject({ status: 1 });
    expect(await run(["seed", "-", ...data()], { input: lines })).toMatchObject({ status: 2 });
  });

  test("--replace replaces the profiles of the app, and nothing else", async () => {
    const apps = async () => {
      const { items } = await (await fetch(`${server.ready.consoleUrl}/emulator/v1/apps`)).json();
      return items.map(({ counts: _, ...app }: { counts: unknown }) => app);
    };
    const before = await apps();
    const csv = await file("users.csv", "phone\n+12025550130\n");
    expect(await run(["seed", csv, "--replace", "--app", "demo-app", ...data()])).toMatchObject({ status: 0 });
    expect(await profiles("demo-app")).toMatchObject([{ phone: "+12025550130" }]);
    const after = await apps();
    const byId = (a: { appId: string }, b: { appId: string }) => a.appId.localeCompare(b.appId);
    expect(after.toSorted(byId)).toEqual(before.toSorted(byId));
  });

  test("is all or nothing: every bad row is reported by file and line, whoever detects it", async () => {
    const before = await profiles("demo-app");
    const csv = await file(
      "users.csv",
      "phone,email\n+12025550140,\n12345,not an address\n+12025550140,b@example.com\n",
    );
    const world = await file(
      "world.json",
      JSON.stringify({
        version: 1,
        apps: [{ appId: "demo-app", profiles: [{ phone: "+12025550141" }, { phone: "5" }] }],
      }),
    );
    const ended = await run(["seed", csv, world, "--app", "demo-app", ...data()]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain(`${csv}:3: phone: must be a phone number`);
    expect(ended.err).toContain(`${csv}:3: email: must be an email address`);
    expect(ended.err).toContain(`${csv}:4: phone: is already in line 2, with another email`);
    expect(ended.err).toContain(`${world}:1:88: apps[0].profiles[1].phone: must be a phone number`);
    expect(ended.err).toContain("Nothing was changed.");
    const piped = await run(["seed", "-", "--format", "ndjson", "--app", "demo-app", ...data()], {
      input:
        '{"phone":"+1"}\n\n{"phone":5,"metadata.a":1,"metadata":{"a":1}}\n{"phone":"+12025550143"}\n{\n{"phone":"2"}',
    });
    expect(piped).toMatchObject({ status: 1, out: "" });
    expect(piped.err.replaceAll("standard input:", "").split("\n")).toEqual([
      '1: phone: must be a phone number in E.164 form, such as +12025550100 (found "+1")',
      '3: phone: must be a phone number in E.164 form, such as +12025550100 (found "5")',
      '5: column 2: Expected a comma or "}"',
      '6: phone: must be a phone number in E.164 form, such as +12025550100 (found "2")',
      "Nothing was changed.",
      "",
    ]);
    const twice = await run(["seed", "-", "--format", "csv", "--app", "demo-app", ...data()], {
      input: "phone,name\n+12025550143,Ida\n+12025550143,Al\n",
    });
    expect(twice.err).toBe(
      'standard input:3: phone: is already in line 2, with another name (found "+12025550143")\nstandard input: To take one of the rows that differ about a user, add --duplicates first, or last.\nNothing was changed.\n',
    );
    const strange = await file("strange.csv", "phone,email\n+12025550142,x\n");
    const refused = await run(["seed", strange, freshPath("gone.csv"), "--app", "demo-app", ...data()]);
    expect(refused.err).toContain(`${strange}:2: email: must be an email address (found "x")`);
    expect(refused.err).toContain("no such file");
    const alone = await run(["seed", strange, "--app", "demo-app", ...data()]);
    expect(alone.err).toBe(`${strange}:2: email: must be an email address (found "x")\nNothing was changed.\n`);
    expect(await profiles("demo-app")).toEqual(before);
  });

  test("files that are none are refused at once, with that error alone", async ({ skip }) => {
    skip(process.platform === "win32", "Windows has no FIFOs");
    const fifo = freshPath("fifo");
    execFileSync("mkfifo", [fifo]);
    const rows = freshPath("rows.csv");
    const refused = async (...words: readonly string[]): Promise<string> => {
      const ended = await run([...words]);
      expect([ended.status, ended.out]).toEqual([1, ""]);
      return ended.err;
    };
    const url = ["--app", "demo-app", ...data()];
    expect(await refused("seed", rows, ...url)).toBe(`${rows}: no such file\nNothing was changed.\n`);
    const zero = openSync("/dev/zero", "r");
    const endless = spawnSync(PROGRAM, [...SCRIPT, "seed", "-", "--format", "csv", ...url], {
      stdio: [zero, "pipe", "pipe"],
      encoding: "utf8",
      env: clean(),
    });
    expect([endless.status, endless.stderr]).toEqual([
      1,
      "standard input: is too large; the maximum is 64 MiB\nNothing was changed.\n",
    ]);
    const none = `${fifo}: is not a regular file\n`;
    expect(await refused("seed", "--format", "csv", fifo, ...url)).toBe(`${none}Nothing was changed.\n`);
    expect(await refused("exec", "--import", fifo, "--", "true")).toBe(`${none}Nothing was changed.\n`);
    expect(await refused("open", fifo)).toBe(none);
    const start = ["start", "--headless", "--ephemeral", "--admin-port=0", "--auth-port=0", "--console-port=0"];
    expect(await refused(...start, "--signing-key", fifo)).toBe(`--signing-key ${none}`);
  });

  test("--dry-run validates everything and changes nothing", async () => {
    const before = await profiles("demo-app");
    const good = await file("good.csv", "phone\n+12025550150\n");
    const bad = await file("bad.csv", "phone\n+12025550100x\n");
    const dry = ["--dry-run", "--app", "demo-app", ...data()];
    expect(await run(["seed", good, ...dry])).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /^\S+good.csv: CSV, 1 row\n {2}phone {2}→ phone {2}\+12025550150 {2}1 of 1\n {2}As they will be stored:\n {4}\{"phone":"\+12025550150"\}\n$/,
      ),
      err: expect.stringContaining("Nothing was changed"),
    });
    const ended = await run(["seed", bad, ...dry]);
    expect(ended.status).toBe(1);
    expect(ended.err).toContain(`${bad}:2: phone:`);
    expect(await profiles("demo-app")).toEqual(before);
  });
});
