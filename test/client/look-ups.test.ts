/** Look-ups take a recipient as the console shows it, and as people write it. */
import { describe, expect, test } from "vitest";
import { failure, useServed } from "./support.ts";

const at = useServed();

const WRITTEN = [
  "+1 202 555 0100",
  "+1 (202) 555-0100",
  "001 202 555 0100",
  "tel:+12025550100",
  "\u202a+1 202\u00a0555 0100\u202c",
];

/** @returns the path's answer. @param query as it is written, not escaped. */
const asked = async (path: string, query: string) => {
  const response = await fetch(`${at.server.urls.console}/emulator/v1/${path}?${query}`);
  return { status: response.status, json: await response.json() };
};

describe.each(WRITTEN)("%j", (to) => {
  test("finds the code over HTTP and by the client, and signs in", async () => {
    await at.askForCode();
    const code = await at.client.passcodes.latest({ to: "+12025550100" });
    const query = `to=${encodeURIComponent(to)}`;
    expect((await asked("passcodes/latest", query)).json).toMatchObject({ id: code.id });
    expect((await asked("passcodes", query)).json.items[0]).toMatchObject({ id: code.id });
    expect(await at.client.passcodes.latest({ to })).toMatchObject({ id: code.id });
    const next = at.client.passcodes.next({ to, appId: "demo-app", after: code.seq });
    await at.askForCode();
    expect((await next).seq).toBeGreaterThan(code.seq);
    const { userId } = await at.client.signInAs({ appId: "demo-app", phone: to });
    expect(userId).toBe(code.userId);
  });

  test("finds the profile", async () => {
    const { items } = await at.client.profiles.list({ appId: "demo-app", q: to });
    expect(items).toMatchObject([{ phone: "+12025550100" }]);
  });
});

test("signs in by a number whose plus became a space in a URL", async () => {
  const { userId } = await at.client.signInAs({ appId: "demo-app", phone: " 12025550100" });
  expect(userId).toBe((await at.client.signInAs({ appId: "demo-app", phone: "+12025550100" })).userId);
});

test("a plus sign that a query does not escape is a blank, and found", async () => {
  await at.askForCode();
  for (const query of ["to=+1 202 555 0100", "to=+12025550100", "to=%20%20+1(202)555-0100"])
    expect((await asked("passcodes/latest", query.replaceAll(" ", "%20"))).status).toBe(200);
  const { appId } = await at.client.apps.create({ strategy: "email" });
  await at.client.profiles.create({ appId, email: "ada+test@example.com" });
  for (const q of ["ada+test@example.com", "ada%2Btest@example.com"]) {
    expect((await asked("profiles", `appId=${appId}&q=${q}`)).json.items).toMatchObject([
      { email: "ada+test@example.com" },
    ]);
    await at.session("POST", { appId, user: { email: "ada+test@example.com" } });
    expect((await asked("passcodes/latest", `appId=${appId}&to=%20${q}%20`)).status).toBe(200);
  }
});

test("what waits says what came instead, also for a number with blanks", async () => {
  await at.askForCode();
  await at.client.passcodes.clear({ appId: "demo-app" });
  const waiting = at.client.passcodes.next({ to: "+1 202 555 0100", appId: "demo-app", timeoutMs: 1 });
  expect(await failure(waiting)).toMatchObject({ status: 404, reason: "no_passcode" });
});

test("a number in national form is refused at once, as before", async () => {
  const waiting = at.client.passcodes.next({ to: "202 555 0100", appId: "demo-app", timeoutMs: 1 });
  expect(await failure(waiting)).toMatchObject({ status: 422 });
});
