/** The running Stagedoor under a project's own names: `env`, and `exec --env`. */
import { execFileSync } from "node:child_process";
import { parseEnv } from "node:util";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { clean, freshPath, run, type Started, start } from "../support.ts";

let server: Started;
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
beforeEach(() => connect(server.ready.consoleUrl).state.reset());

const print = async (...args: string[]): Promise<string> => {
  const { status, out, err } = await run(["env", ...args, "--url", server.ready.consoleUrl]);
  expect([status, err]).toEqual([0, ""]);
  return out;
};

/** @returns what a POSIX shell has in these variables after it has carried the text out. */
const inShell = (text: string, ...names: string[]): string[] =>
  execFileSync("sh", ["-c", `eval "$0"; printf '%s\\n' ${names.map((name) => `"$${name}"`).join(" ")}`, text], {
    encoding: "utf8",
    env: clean(),
  })
    .trimEnd()
    .split("\n");

/** Names that a project might have, for each value. */
const AS = ["API=adminUrl", "LOGIN=authUrl", "CONSOLE=consoleUrl", "APP=appId", "KEY=secret"];
const as = AS.flatMap((given) => ["--as", given]);

describe("env", () => {
  test("prints the URLs, the first app and its secret as lines of a .env file", async () => {
    const { adminUrl, authUrl, consoleUrl } = server.ready;
    const out = await print();
    expect(out).toMatch(/^(\w+=\S+\n){5}$/);
    expect(parseEnv(out)).toEqual({
      STAGEDOOR_ADMIN_URL: adminUrl,
      STAGEDOOR_AUTH_URL: authUrl,
      STAGEDOOR_CONSOLE_URL: consoleUrl,
      STAGEDOOR_APP_ID: "demo-app",
      STAGEDOOR_APP_SECRET: "sk_local_demo",
    });
    expect(await print("--dotenv")).toBe(out);
  });

  test("--as gives them a project's names, and leaves all other values out", async () => {
    const { adminUrl, authUrl, consoleUrl } = server.ready;
    const values = { API: adminUrl, LOGIN: authUrl, CONSOLE: consoleUrl, APP: "demo-app", KEY: "sk_local_demo" };
    expect(parseEnv(await print(...as))).toEqual(values);
    expect(JSON.parse(await print("--json", ...as))).toEqual(values);
    expect(inShell(await print("--shell", ...as), ...Object.keys(values))).toEqual(Object.values(values));
    expect(await print("--as", "A=authUrl", "--as", "B=authUrl")).toBe(`A=${authUrl}\nB=${authUrl}\n`);
  });

  test("--json is one line with the usual names, --shell exports to commands", async () => {
    const out = await print("--json");
    expect(out).toMatch(/^[^\n]+\n$/);
    expect(JSON.parse(out)).toEqual(parseEnv(await print()));
    const exported = `${await print("--shell")}STAGEDOOR_APP_ID="$(printenv STAGEDOOR_APP_ID)"`;
    expect(inShell(exported, "STAGEDOOR_APP_ID", "STAGEDOOR_AUTH_URL")).toEqual(["demo-app", server.ready.authUrl]);
  });

  test("--app is the app whose id and secret are printed", async () => {
    const apps = await connect(server.ready.consoleUrl).apps.list();
    const secret = apps.items.find(({ appId }) => appId === "demo-mail")?.secret;
    expect(await print("--app", "demo-mail", "--as", "APP=appId", "--as", "KEY=secret")).toBe(
      `APP=demo-mail\nKEY=${secret}\n`,
    );
    expect(await run(["env", "--app", "ghost", "--url", server.ready.consoleUrl])).toMatchObject({
      ...{ status: 1, out: "", err: 'No app "ghost". Apps: demo-app, demo-mail\n' },
    });
  });

  test.each(["sk$(id)`id`\\n", "a'b", 'a"b#c', "it's\"#$HOME", "it's#`id`"])(
    "the secret %s arrives unchanged by a shell, a .env file and JSON",
    async (secret) => {
      await connect(server.ready.consoleUrl).apps.create({ appId: "odd", secret });
      const given = ["--app", "odd", "--as", "KEY=secret"];
      expect(inShell(await print("--shell", ...given), "KEY")).toEqual([secret]);
      expect(parseEnv(await print(...given))).toEqual({ KEY: secret });
      expect(JSON.parse(await print("--json", ...given))).toEqual({ KEY: secret });
    },
  );

  test("without an app there are URLs, but neither an id nor a secret", async () => {
    const { apps } = connect(server.ready.consoleUrl);
    for (const { appId } of (await apps.list()).items) await apps.delete(appId);
    expect(Object.keys(JSON.parse(await print("--json")))).toEqual([
      ...["STAGEDOOR_ADMIN_URL", "STAGEDOOR_AUTH_URL", "STAGEDOOR_CONSOLE_URL"],
    ]);
    expect(await run(["env", "--as", "KEY=secret", "--url", server.ready.consoleUrl])).toMatchObject({
      ...{ status: 1, out: "", err: expect.stringContaining("There is no app.") },
    });
  });

  test("a wrong name or two formats are wrong usage, which says what to write", async () => {
    for (const [args, why] of [
      [["--as", "API=authUrI"], "--as must be API=authUrl"],
      [["--as", "API=nothing"], "NAME=adminUrl|authUrl|consoleUrl|appId|secret"],
      [["--as", "1API=authUrl"], "--as must be"],
      [["--as", "authUrl"], "--as must be"],
      [["--shell", "--json"], "Give one of --dotenv, --shell and --json."],
    ] as const)
      expect([args, await run(["env", ...args, "--url", server.ready.consoleUrl])]).toEqual([
        args,
        expect.objectContaining({ status: 2, out: "", err: expect.stringContaining(why) }),
      ]);
  });

  test("where none runs it says so, prints nothing and ends with 1", async () => {
    const nowhere = freshPath("nowhere");
    for (const format of ["--dotenv", "--shell", "--json"])
      expect(await run(["env", format, "--data", nowhere])).toMatchObject({
        ...{ status: 1, out: "", err: expect.stringContaining(`No running Stagedoor uses ${nowhere}. Start one with`) },
      });
    expect(await run(["env", "--url", "http://127.0.0.1:1"])).toMatchObject({
      ...{ status: 1, out: "", err: expect.stringContaining("Stagedoor does not respond at http://127.0.0.1:1") },
    });
  });
});

describe("exec --env", () => {
  const script = "console.log(JSON.stringify(process.env))";
  const variables = async (...args: string[]) => {
    const { status, out, err } = await run(["exec", ...args, "--", process.execPath, "-e", script]);
    expect([status, err]).toEqual([0, ""]);
    return JSON.parse(out);
  };

  test("sets them under a project's names too", async () => {
    const env = await variables(...AS.flatMap((given) => ["--env", given]));
    expect(env).toMatchObject({ APP: "demo-app", KEY: "sk_local_demo", API: env.STAGEDOOR_ADMIN_URL });
    expect([env.LOGIN, env.CONSOLE]).toEqual([env.STAGEDOOR_AUTH_URL, env.STAGEDOOR_CONSOLE_URL]);
    expect(new Set([env.API, env.LOGIN, env.CONSOLE]).size).toBe(3);
  });

  test("a wrong one is wrong usage before anything starts", async () => {
    const ended = await run(["exec", "--env", "API=authUrI", "--", process.execPath, "-e", script]);
    expect(ended).toMatchObject({ status: 2, out: "", err: expect.stringContaining("--env must be API=authUrl") });
  });
});
