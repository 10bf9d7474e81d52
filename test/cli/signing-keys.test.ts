/** `stagedoor keys`: lists, rotates and retires the keys that sign tokens. */
import { beforeAll, expect, test } from "vitest";
import { freshPath, run, type Started, start } from "./support.ts";

let started: Started;
beforeAll(async () => {
  started = await start(["--data", freshPath()]);
});

const keys = (...args: readonly string[]) => run(["keys", ...args, "--url", started.ready.consoleUrl]);

test("keys lists, rotates and retires", async () => {
  const listed = await keys();
  expect([listed.status, listed.err]).toEqual([0, ""]);
  expect(listed.out).toMatch(/^\S{43} {2}ES256 {2}current {3}\d{4}-\S+Z {2}tokens: 0\n$/);
  const [first] = listed.out.split(" ");
  const rotated = await keys("rotate", "--json");
  expect(JSON.parse(rotated.out)).toMatchObject({ items: [{ kid: first, state: "previous" }, { state: "current" }] });
  const kid = JSON.parse(rotated.out).items[1].kid;
  expect(await keys("retire", kid)).toMatchObject({ status: 1, err: expect.stringContaining("Rotate") });
  const { out } = await keys("retire", String(first));
  expect(out).toMatch(new RegExp(`^${kid} {2}ES256 {2}current `));
  expect(out).toContain(`\nRetired ${first} (${started.ready.consoleUrl}, data in ${started.ready.dataDir}).\n`);
  expect((await keys("rotate", "--algorithm", "EdDSA")).out).toMatch(/^\S+ {2}EdDSA {2}current /m);
});

test.each([["retire"], ["rotate", "some-kid"], ["list", "--algorithm", "ES256"], ["rotate", "--algorithm", "HS256"]])(
  "keys %s %s is wrong usage",
  async (...args) => {
    expect((await keys(...args)).status).toBe(2);
  },
);
