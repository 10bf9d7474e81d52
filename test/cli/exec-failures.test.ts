/** What `exec` says and saves of the logins that failed while its command ran; and `requests --save`. */
import { mkdtemp, readdir, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshPath, run, start } from "./support.ts";

/** Enters a code under a wrong name, after some codes that nobody was sent. */
const login = (status: number, wrong = 0): string[] => {
  const script = `
    const { STAGEDOOR_AUTH_URL: auth, STAGEDOOR_APP_ID: appId } = process.env;
    const put = (code) => fetch(auth + "/v1/users/session", { method: "PUT", headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user: { phone: "+12025550100" }, ...code }) });
    (async () => {
      for (let n = 0; n < ${wrong}; n++) await put({ passcode: "00000" + n % 10 });
      const { status } = await put({ otp: "123456" });
      console.log("status", status);
      process.exitCode = ${status};
    })();`;
  return ["--", process.execPath, "-e", script];
};

describe("a command that fails", () => {
  test("is followed by the requests that were rejected, how to fix them, and how to keep the login", async () => {
    const { status, out, err } = await run(["exec", ...login(7)]);
    expect({ status, out }).toEqual({ status: 7, out: "status 422\n" });
    expect(err).toMatch(
      /^\nStagedoor rejected 1 request of this run:\n {2}[\d:]{8} {2}PUT {2}.* {2}invalid_fields {2}demo-app {2}.*\n/,
    );
    expect(err).toMatch(/\n {4}Fix: The passcode was sent as “otp”; it must be in “passcode”.*\n/);
    expect(err).toMatch(/\nTo keep these logins: stagedoor exec --save logins -- CMD\n$/);
  });

  test("shows the newest ten, the newest last, and says how many there were", async () => {
    const { err } = await run(["exec", ...login(1, 12)]);
    expect(err).toContain("rejected 13 requests of this run, of which these are the newest 10:");
    const rows = [...err.matchAll(/ {2}(401|422) {2}/g)].map(([, status]) => status);
    expect(rows).toEqual([...Array(9).fill("401"), "422"]);
  });

  test("says nothing with --quiet, and saves all the same", async () => {
    const folder = freshPath("logins");
    expect(await run(["exec", "--quiet", "--save", folder, ...login(1)])).toMatchObject({ status: 1, err: "" });
    expect(await readdir(folder)).toHaveLength(1);
  });
});

test("a command that passes is followed by nothing; --save writes each failed login for its owner alone", async () => {
  expect(await run(["exec", ...login(0)])).toMatchObject({ status: 0, err: "" });
  const folder = join(await mkdtemp(join(tmpdir(), "stagedoor-logins-")), "of", "run");
  expect(await run(["exec", "--save", folder, ...login(0)])).toMatchObject({ status: 0, err: "" });
  const [file = "", ...others] = await readdir(folder);
  expect([file, others]).toEqual([expect.stringMatching(/^invalid_fields-[0-9a-f]{8}\.json$/), []]);
  expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
  expect(JSON.parse(await readFile(join(folder, file), "utf8"))).toMatchObject({
    kind: "stagedoor-login",
    requests: [{ status: 422, reason: "invalid_fields" }],
  });
});

test("a folder that cannot be made ends it before the command", async () => {
  const ended = await run(["exec", "--save", "/dev/null/logins", ...login(0)]);
  expect(ended).toMatchObject({ status: 1, out: "" });
  expect(ended.err).toContain("/dev/null/logins");
});

test("requests --save writes the newest failed login; without one it says so", async () => {
  const server = await start(["--ephemeral"]);
  const { authUrl, consoleUrl } = server.ready;
  const file = freshPath("login.json");
  const none = await run(["requests", "--save", file, "--url", consoleUrl]);
  expect(none).toMatchObject({ status: 1, err: "No request failed.\n" });
  const put = (passcode: string) =>
    fetch(`${authUrl}/v1/users/session`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" }, passcode }),
    });
  const id = (await put("123456")).headers.get("Emulator-Request-Id");
  const saved = await run(["requests", "--save", file, "--url", consoleUrl]);
  expect(saved.err).toContain(`Show it: stagedoor open ${file}`);
  expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ requestId: id });
  const why = await run(["requests", "--why", "--url", consoleUrl]);
  expect(why.out).toContain(`    Id: ${id}\n`);
  await server.stop();
});
