/**
 * FINDINGS A14: an app is not found by comparing its secret with what a client sent, byte by byte: look-ups are by a digest
 * that only this process can compute.
 */
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { appOfSecret } from "#http/auth.ts";
import { newDir, open } from "#test/store/support.ts";

const requestWith = (secret: string): IncomingMessage => {
  const req = new IncomingMessage(new Socket());
  req.rawHeaders.push("Authorization", `Bearer ${secret}`);
  return req;
};

test("neither a right nor a wrong secret is itself the key of a look-up, and the answers are right", async () => {
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

test("a refused secret opens nothing, though an app has it", async () => {
  const { world } = await open(newDir());
  const secret = world.apps[0]?.app.secret ?? "none";
  expect(appOfSecret(world, requestWith(secret), new Set([secret]))).toMatchObject({
    problem: { code: "unknown_secret" },
  });
});
