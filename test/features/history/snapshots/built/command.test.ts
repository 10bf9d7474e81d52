import { beforeAll, beforeEach, expect, test } from "vitest";
import { type Client, connect } from "#client/index.ts";
import { freshPath, run, type Started, sendCode, start } from "#test/cli/support.ts";

let server: Started;
let client: Client;
const snapshot = (...args: string[]) => run(["snapshot", ...args, "--url", server.ready.consoleUrl]);
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
  client = connect(server.ready.consoleUrl);
});
beforeEach(() => client.state.reset());

test("has --help and --version", async () => {
  expect(await snapshot("--help")).toMatchObject({ status: 0, out: expect.stringContaining("restore"), err: "" });
  expect(await run(["snapshot", "--version"])).toMatchObject({ status: 0 });
});

test("save, restore, list and delete", async () => {
  expect(await snapshot("save", "before")).toMatchObject({ status: 0, out: "Saved before.\n", err: "" });
  await client.profiles.create({ appId: "demo-app", phone: "+12025550177" });
  await sendCode(server.ready);
  expect(await snapshot("list")).toMatchObject({ status: 0, out: expect.stringMatching(/^before {2}all apps {2}/) });
  expect((await snapshot("restore", "before")).out).toMatch(
    /^Restored before: \d+ changes \(http:\S+, data in .+\)\.\n$/,
  );
  expect((await client.profiles.list({ appId: "demo-app", q: "+12025550177" })).total).toBe(0);
  expect(await snapshot("delete", "before")).toMatchObject({
    out: expect.stringMatching(/^Deleted before \(http:\S+, data in .+\)\.\n$/),
  });
  expect(await snapshot("list")).toMatchObject({ status: 0, out: "" });
});

test("works for one app", async () => {
  expect((await snapshot("save", "mine", "--app", "demo-mail")).status).toBe(0);
  await client.profiles.create({ appId: "demo-mail", email: "x@example.com" });
  await client.profiles.create({ appId: "demo-app", phone: "+12025550177" });
  expect((await snapshot("restore", "mine", "--app", "demo-mail")).status).toBe(0);
  expect((await client.profiles.list({ q: "x@example.com" })).total).toBe(0);
  expect((await client.profiles.list({ q: "+12025550177" })).total).toBe(1);
});

test("reports an error in one line", async () => {
  const oneLine = (status: number) => ({ status, out: "", err: expect.stringMatching(/^[^\n]+\n$/) });
  for (const args of [
    ["restore", "nothing"],
    ["delete", "nothing"],
    ["save", "a b"],
  ])
    expect(await snapshot(...args)).toMatchObject(oneLine(1));
  expect(await snapshot("save")).toMatchObject(oneLine(2));
  expect(await snapshot("keep", "x")).toMatchObject({ status: 2, out: "", err: expect.stringContaining("restore") });
});
