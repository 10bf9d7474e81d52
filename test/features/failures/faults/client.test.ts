/** `client.faults`. */
import { expect, expectTypeOf, test } from "vitest";
import type { Fault } from "#client/index.ts";
import type { FaultItem } from "#features/failures/faults/contract/faults.ts";
import { ADA, useServed } from "#test/client/support.ts";

const at = useServed();
const { session, askForCode } = at;

test("its types match the contract", () => {
  expectTypeOf<Fault["match"]>().toEqualTypeOf<FaultItem["match"]>();
});

test("faults: the next request fails, then recovery", async () => {
  const fault = await at.client.faults.add({ match: { to: ADA }, effect: { status: 503 }, times: 1 });
  expect((await session("POST", { appId: "demo-app", user: { phone: ADA } })).status).toBe(503);
  await askForCode();
  expect(await at.client.faults.get(fault.id)).toMatchObject({ used: 1, remaining: 0 });
  expect((await at.client.faults.list()).total).toBe(1);
  await at.client.faults.remove(fault.id);
  await at.client.faults.clear();
  expect((await at.client.faults.list()).total).toBe(0);
});
