/** `client.coverage`. */
import { expect, test } from "vitest";
import { ADA, failure, useServed } from "#test/client/support.ts";

const at = useServed();

test("get counts what an app has met, provoke arranges the next one, once; both can be cleared", async () => {
  const { coverage } = at.client;
  const { appId } = await at.client.apps.create();
  await at.client.profiles.create({ appId, phone: ADA });
  const counts = async () =>
    Object.fromEntries(
      (await coverage.get({ appId })).items
        .filter(({ count }) => count > 0)
        .map(({ outcome, count }) => [outcome, count]),
    );
  const { outcome, set, then } = await coverage.provoke("serverError", { appId, to: ADA });
  expect([outcome, Object.keys(set), then]).toEqual(["serverError", ["faultId"], `Request a code as ${ADA}.`]);
  expect((await at.session("POST", { appId, user: { phone: ADA } })).status).toBe(503);
  await at.askForCode(ADA, appId);
  expect(await counts()).toEqual({ serverError: 1, codeSent: 1 });
  expect(await coverage.get({ appId, resent: "0" })).toMatchObject({ met: 2, total: 27 });
  await coverage.provoke("rateLimited", { appId });
  await coverage.unprovoke({ appId });
  await at.askForCode(ADA, appId);
  await coverage.clear({ appId });
  expect(await counts()).toEqual({});
  expect(await failure(coverage.provoke("wrongCode"))).toMatchObject({
    status: 422,
    fields: { appId: expect.anything() },
  });
});
