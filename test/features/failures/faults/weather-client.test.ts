/** `client.weather`. */
import { expect, test } from "vitest";
import { failure, useServed } from "#test/client/support.ts";

const at = useServed();

test("set replaces the weather of an app, get shows it and what there is, clear ends it", async () => {
  const { weather } = at.client;
  const { appId } = await at.client.apps.create();
  await weather.set("deploy", { appId });
  const { items } = await weather.set("tunnel", { appId, seed: 42, seconds: 600 });
  expect(items).toMatchObject([{ appId, name: "tunnel", seed: 42, until: expect.stringMatching(/Z$/) }]);
  const now = await weather.get({ appId });
  expect(now.items).toEqual(items);
  expect(now.known.map(({ name }) => name)).toEqual(["tunnel", "rush-hour", "deploy", "bad-clock", "calm"]);
  expect((await at.client.faults.list({ appId })).items.map(({ id }) => id)).toEqual(items[0]?.faults);
  await weather.clear({ appId });
  expect((await weather.get({ appId })).items).toEqual([]);
  expect(await failure(weather.set("fog", { appId }))).toMatchObject({
    status: 422,
    fields: { name: expect.anything() },
  });
});
