import { expect, test } from "vitest";
import { ADA, failure, useServed } from "#test/client/support.ts";

const at = useServed();

test("keys are listed, rotated and retired", async () => {
  const { signingKeys, signInAs, sessions } = at.client;
  const { token } = await signInAs({ appId: "demo-app", phone: ADA });
  const [first] = (await signingKeys.list()).items;
  const kid = first?.kid ?? "";
  expect(first).toMatchObject({ algorithm: "ES256", state: "current", tokens: 1 });
  const rotated = await signingKeys.rotate();
  expect(rotated).toMatchObject({ total: 2, items: [{ kid, state: "previous", tokens: 1 }, { state: "current" }] });
  expect((await signingKeys.rotate({ algorithm: "EdDSA" })).items[2]).toMatchObject({ algorithm: "EdDSA", tokens: 0 });
  expect(await sessions.introspect(token)).toMatchObject({ active: true });

  const current = rotated.items[1]?.kid ?? "";
  expect(await failure(signingKeys.retire(current))).toMatchObject({ status: 409, reason: "current_key" });
  expect(await failure(signingKeys.retire("a/ghost"))).toMatchObject({ status: 404, reason: "unknown_record" });
  expect(await signingKeys.retire(kid)).toBeUndefined();
  expect(await failure(signingKeys.retire(kid))).toMatchObject({ status: 404 });
  expect((await signingKeys.list()).items.map((key) => key.kid)).not.toContain(kid);
  expect(await sessions.introspect(token)).toEqual({ active: false, reason: "unknown_kid" });
});

test("a backend is checked with a new key that nobody else sees", async () => {
  const { signingKeys, signInAs, sessions } = at.client;
  const { session } = await signInAs({ appId: "demo-app", phone: ADA });
  const before = await signingKeys.list();
  // Nothing listens there.
  const checked = await sessions.checkBackend(session.id, { url: "http://127.0.0.1:1/", rotate: true });
  expect(checked.items.slice(0, 3).map(({ defect }) => defect)).toEqual([null, "newKey", "retiredKey"]);
  expect(await signingKeys.list()).toEqual(before);
});
