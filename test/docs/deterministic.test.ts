/** The example and the figures in docs/deterministic.md. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generateUsers } from "#people/users.ts";
import { caller, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const page = await readFile(new URL("../../docs/deterministic.md", import.meta.url), "utf8");

test("the example creates the profile that the page shows", async () => {
  const [app = "", profile = ""] = [...page.matchAll(/-d '(.*)'/g)].map(([, body = ""]) => body);
  const [, secret = ""] = /Bearer (\w+)/.exec(page) ?? [];
  const [, userId, createdAt] = /The profile is `([^`]+)` each time, created at `([^`]+)`/.exec(page) ?? [];
  const server = await startInProcess();
  expect((await clientsOf(() => server).control("POST", "/apps", app)).status).toBe(201);
  const admin = caller(() => server.urls.admin, { Authorization: `Bearer ${secret}` });
  expect((await admin("POST", "/v1/profiles", profile)).json).toMatchObject({ userId, createdAt });
  await server.close();
});

/** How many users of one seed share a field with a user of the next, on average over some pairs. */
const shared = (count: number, field: "phone" | "email"): number => {
  const pairs = Array.from({ length: 20 }, (_, seed) => {
    const known = new Set(generateUsers(count, `${seed}`, "en").map((user) => user[field]));
    return generateUsers(count, `${seed + 1}`, "en").filter((user) => known.has(user[field])).length;
  });
  return pairs.reduce((sum, met) => sum + met, 0) / pairs.length;
};

test("users of two seeds collide as often as the page says", () => {
  expect(shared(50, "email")).toBeGreaterThan(0.5);
  expect(shared(50, "email")).toBeLessThan(2);
  expect(shared(50, "phone")).toBe(0);
  expect(shared(1_000, "email") / 1_000).toBeCloseTo(1 / 6, 1);
  expect(shared(5_000, "phone")).toBeGreaterThan(100);
  expect(generateUsers(80, "checkout", "en").slice(0, 50)).toEqual(generateUsers(50, "checkout", "en"));
});
