import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { freePort } from "#test/support/ports.ts";
import { clean, freshPath, PROGRAM, run, SCRIPT, type Started, send, sendCode, start } from "../support.ts";

let server: Started;
const there = (): string[] => ["--url", server.ready.consoleUrl];
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
});
beforeEach(() => connect(server.ready.consoleUrl).state.reset());

test.each(["wait", "tail", "seed"])("%s has --help and --version", async (name) => {
  expect(await run([name, "--help"])).toMatchObject({ status: 0, out: expect.stringContaining("--url"), err: "" });
  expect(await run([name, "--version"])).toMatchObject({ status: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
});

describe("wait", () => {
  test("prints the console's URL once the emulator is ready, even if it starts later", async () => {
    expect(await run(["wait", ...there()])).toEqual({
      status: 0,
      signal: null,
      out: `${server.ready.consoleUrl}\n`,
      err: "",
    });
    const data = ["--data", freshPath()];
    const waiting = run(["wait", "--timeout", "20", ...data]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const late = await start(data);
    expect(await waiting).toMatchObject({ status: 0, out: `${late.ready.consoleUrl}\n` });
    await late.stop();
  });

  test("times out with the reason; rejects an invalid time; reports another program at once", async () => {
    const nobody = await run(["wait", "--timeout", "400ms", "--url", "http://127.0.0.1:1"]);
    expect(nobody).toMatchObject({ status: 124, out: "", err: expect.stringContaining("http://127.0.0.1:1") });
    const soon = await run(["wait", "--timeout", "soon"]);
    expect(soon).toMatchObject({ status: 2, out: "", err: expect.stringContaining("--timeout") });
    const other = await run(["wait", "--timeout", "10m", "--url", server.ready.authUrl]);
    expect(other).toMatchObject({ status: 1, out: "" });
  });
});

/** A running `tail`. */
const follow = (args: readonly string[]) => {
  const child = spawn(PROGRAM, [...SCRIPT, "tail", ...args], { env: clean(), stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    err += chunk.toString();
  });
  return {
    out: () => out,
    err: () => err,
    child,
    ended: once(child, "close").then(([status]) => ({ status, out, err })),
  };
};
const until = (look: () => boolean): Promise<void> => expect.poll(look).toBe(true);

describe("tail", () => {
  test("prints each code and request as it arrives, and exits cleanly", async () => {
    const tail = follow(there());
    const asked = async () => {
      await sendCode(server.ready);
      return tail.out() !== "";
    };
    // It is connected once the first code arrives.
    await expect.poll(asked).toBe(true);
    const { code } = await connect(server.ready.consoleUrl).passcodes.latest({ to: "+12025550100" });
    await until(() => tail.out().includes(code) && /POST {2}\/v1\/users\/session {2}202/.test(tail.out()));
    expect(tail.out()).toContain("+12025550100  demo-app");
    tail.child.kill("SIGINT");
    expect(await tail.ended).toMatchObject({
      status: 0,
      err: expect.stringMatching(/^Times are [\w/+-]+\.\n$/),
    });
  });

  test("--json: one line each, without duplicates or gaps, for one app; a wrong attempt is not a new code", async () => {
    const tail = follow([...there(), "--json", "--app", "demo-mail"]);
    const mail = (email: string) =>
      send("POST", `${server.ready.authUrl}/v1/users/session`, { appId: "demo-mail", user: { email } });
    let n = 0;
    const asked = async () => {
      await mail(`first${n++}@example.com`);
      return tail.out() !== "";
    };
    await expect.poll(asked).toBe(true);
    const emails = Array.from({ length: 60 }, (_, i) => `user${i}@example.com`);
    await Promise.all(emails.map(mail));
    await Promise.all([...emails.map(mail), sendCode(server.ready)]);
    const wrong = { appId: "demo-mail", user: { email: "user0@example.com" }, passcode: "wrong" };
    await send("PUT", `${server.ready.authUrl}/v1/users/session`, wrong);
    const lines = (): { event: string; to?: string; id: string; status?: unknown; appId: string }[] =>
      tail
        .out()
        .split("\n")
        .slice(0, -1)
        .map((line) => JSON.parse(line));
    await until(() => lines().some(({ event, status }) => event === "request" && status === 401));
    const codes = lines().filter(({ event }) => event === "passcode");
    expect(codes.map(({ to }) => to).sort()).toEqual([...emails].sort());
    const requests = lines().filter(({ event }) => event === "request");
    expect(new Set(requests.map(({ id }) => id)).size).toBe(requests.length);
    expect(requests.filter(({ status }) => status === 202)).toHaveLength(60);
    expect(new Set(lines().map(({ appId }) => appId))).toEqual(new Set(["demo-mail"]));
    tail.child.kill("SIGTERM");
    expect((await tail.ended).status).toBe(0);
  });

  test("continues when the emulator was away, and exits when nobody reads", async () => {
    const data = freshPath();
    const given = ["--data", data, "--console-port", String(await freePort())];
    const first = await start(given);
    const tail = follow(["--data", data, "--json"]);
    const asked = (ready: typeof first.ready, seen: number) => async () => {
      await sendCode(ready);
      return tail.out().length > seen;
    };
    await expect.poll(asked(first.ready, 0)).toBe(true);
    await first.stop();
    const seen = tail.out().length;
    const second = await start(given);
    await expect.poll(asked(second.ready, seen)).toBe(true);
    expect(tail.err()).toMatch(/Disconnected[^\n]*\nReconnected\.\n$/);
    tail.child.stdout.destroy();
    const ended = async () => {
      await sendCode(second.ready);
      return tail.child.exitCode;
    };
    await expect.poll(ended).toBe(0);
    await second.stop();
  });

  test("exits with 1 and one clear line without an emulator", async () => {
    const ended = await run(["tail", "--url", "http://127.0.0.1:1"]);
    expect(ended).toMatchObject({ status: 1, out: "", err: expect.stringMatching(/^[^\n]+\n$/) });
  });
});

describe("seed --generate", () => {
  const made = async (appId: string) =>
    (await connect(server.ready.consoleUrl).profiles.list({ appId, limit: 1_000 })).items.map(
      ({ name, phone, email, metadata }) => ({ name, phone, email, metadata }),
    );
  const fresh = async (strategy: "phone" | "email" = "phone") =>
    (await connect(server.ready.consoleUrl).apps.create({ strategy })).appId;
  const generate = (n: number, app: string, ...more: string[]) =>
    run(["seed", "--generate", String(n), "--app", app, ...more, ...there()]);

  test.each(["en", "de", "fr", "es", "ar", "ja"])(
    "%s: generates unique users in reserved numbers and domains",
    async (locale) => {
      const app = await fresh();
      expect(await generate(400, app, "--locale", locale)).toMatchObject({
        status: 0,
        out: "",
        err: "Imported 400 profiles into 1 app: 400 new, 0 updated, 0 unchanged.\n",
      });
      const users = await made(app);
      expect(new Set(users.map(({ phone }) => phone)).size).toBe(400);
      expect(new Set(users.map(({ email }) => email)).size).toBe(400);
      const reserved =
        /^\+(1\d{3}55501\d{2}|493023125\d{3}|494066969\d{3}|496990009\d{3}|492214710\d{3}|498999998\d{3}|33(19900|26191|35301|46571|53649|63998)\d{4}|999\d{8})$/;
      for (const { name, phone, email } of users) {
        expect(phone).toMatch(reserved);
        expect(email).toMatch(/^[a-z]+\.[a-z]+\d*@example\.(com|org|net)$/);
        expect(name).toMatch(/^\p{L}[\p{L}\p{M}' ]+$/u);
      }
      expect(new Set(users.map(({ name }) => name)).size).toBeGreaterThan(150);
    },
  );

  test("repeats users for the same seed, extends them for a larger number, changes them for another; is safe to run again", async () => {
    const [one, two, three] = [await fresh(), await fresh(), await fresh()];
    await generate(20, one, "--seed", "checkout");
    await generate(50, two, "--seed", "checkout");
    await generate(20, three, "--seed", "other");
    expect((await made(two)).slice(0, 20)).toEqual(await made(one));
    expect(await made(three)).not.toEqual(await made(one));
    await generate(20, one, "--seed", "checkout");
    expect(await made(one)).toHaveLength(20);
  });

  test("works for an email app; 40,000 at once exceed the fictional numbers and are still unique", async () => {
    const mails = await fresh("email");
    expect((await generate(500, mails, "--locale", "de")).status).toBe(0);
    expect(await made(mails)).toHaveLength(500);
    const many = await fresh();
    expect((await generate(40_000, many)).err).toContain("40,000 profiles");
    const { items } = await connect(server.ready.consoleUrl).apps.list();
    expect(items.find(({ appId }) => appId === many)?.counts.profiles).toBe(40_000);
  });

  test("reports an error in one line, and where usage has more", async () => {
    const oneLine = { status: 2, out: "", err: expect.stringMatching(/^[^\n]+\n(Run with --help for usage\.\n)?$/) };
    for (const args of [
      ["--generate", "0"],
      ["--generate", "many"],
      ["--generate", "5", "--locale", "tlh"],
      ["--generate", "5", "users.csv"],
      ["--generate", "5"],
      [],
    ])
      expect(await run(["seed", ...args, ...there()])).toMatchObject(oneLine);
    expect(await generate(5, "demo-app", "--dry-run")).toMatchObject({ status: 0 });
  });
});
