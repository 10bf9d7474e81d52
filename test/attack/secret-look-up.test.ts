/**
 * An app is not found by comparing its secret byte by byte with the client's: look-ups use a digest that only this
 * process can compute.
 */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { appOfSecret } from "#http/guards/auth.ts";
import { newDir, open } from "#test/store/support.ts";

const requestWith = (secret: string): IncomingMessage => {
  const req = new IncomingMessage(new Socket());
  req.rawHeaders.push("Authorization", `Bearer ${secret}`);
  return req;
};

test("no secret, right or wrong, is used as a look-up key, and the results are right", async () => {
  const { world } = await open(newDir());
  const [first] = world.apps;
  const secret = first?.app.secret ?? "none";
  const refused = new Set(["another"]);
  const keys: unknown[] = [];
  const real = Map.prototype.get;
  vi.spyOn(Map.prototype, "get").mockImplementation(function (this: Map<unknown, unknown>, key: unknown) {
    keys.push(key);
    return real.call(this, key);
  });
  const wrong = [`${secret}x`, secret.slice(1), "x", "constructor"];
  const found = appOfSecret(world, requestWith(secret), new Set());
  const missed = wrong.map((text) => appOfSecret(world, requestWith(text), refused));
  vi.restoreAllMocks();
  expect(found).toEqual({ app: first });
  for (const one of missed) expect(one).toMatchObject({ problem: { code: "unknown_secret" } });
  expect(keys.length).toBeGreaterThanOrEqual(1 + wrong.length);
  for (const text of [secret, ...wrong]) expect(keys).not.toContain(text);
});

test("a secret on the refused list fails, even if an app has it", async () => {
  const { world } = await open(newDir());
  const secret = world.apps[0]?.app.secret ?? "none";
  expect(appOfSecret(world, requestWith(secret), new Set([secret]))).toMatchObject({
    problem: { code: "unknown_secret" },
  });
});
