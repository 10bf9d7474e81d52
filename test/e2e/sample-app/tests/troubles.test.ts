import type { FaultInput } from "stagedoor/client";
import { describe, expect } from "vitest";
import { ADA, test } from "./stage.ts";
import { createVisitor } from "./visitor.ts";

const UNREACHABLE = "We cannot be reached. Check your connection, then try again.";
const WRONG_HERE = "Something is wrong on our side. Try again in a moment.";

describe("a request for a code that fails and then recovers", () => {
  const CASES: readonly (readonly [name: string, effect: FaultInput["effect"], words: string | RegExp])[] = [
    ["the service is down", { status: 503 }, WRONG_HERE],
    ["a gateway answers in HTML", { status: 502, body: "<html>Bad Gateway</html>" }, WRONG_HERE],
    ["too many tries", { reason: "rate_limited" }, /^That was a lot of tries\. Wait \d+ s, then try again\.$/],
  ];
  test.for(CASES)("%s", async ([, effect, words], { client, app: { appId }, visitor }) => {
    await client.profiles.create({ appId, phone: ADA, name: "Ada" });
    await client.faults.add({ match: { appId, listener: "auth" }, effect, times: 1 });
    await visitor.askForCode(ADA);
    await visitor.sees(words);
    expect((await client.passcodes.list({ appId })).total).toBe(0);
    const next = client.passcodes.next({ to: ADA, appId });
    await visitor.press("Try again");
    await visitor.enterCode((await next).code);
    await visitor.seesProfileOf("Ada");
  });
});

test.for(["drop", "reset"] as const)(
  "a connection that breaks: %s",
  async (how, { client, app: { appId }, visitor }) => {
    await client.profiles.create({ appId, phone: ADA, name: "Ada" });
    // Not `times: 1`: a browser sends a request once more, by itself, when a connection broke that it had used before.
    await client.faults.add({ match: { appId, listener: "auth" }, effect: { [how]: true } });
    await visitor.askForCode(ADA);
    await visitor.sees(UNREACHABLE);
    await client.faults.clear({ appId });
    const next = client.passcodes.next({ to: ADA, appId, after: await client.passcodes.cursor() });
    await visitor.press("Try again");
    await visitor.enterCode((await next).code);
    await visitor.seesProfileOf("Ada");
  },
);

test("a code that does not arrive: the user asks for another", async ({ client, app: { appId }, visitor }) => {
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  await client.faults.add({ match: { appId, to: ADA }, effect: { undelivered: true }, times: 1 });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.askForCode(ADA);
  await visitor.sees(`We have sent a code to ${ADA}.`);
  await visitor.press("Send another code");
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
  expect((await client.passcodes.list({ appId })).items).toMatchObject([
    { delivery: "sent", status: "used" },
    { delivery: "failed", status: "replaced" },
  ]);
});

test("the right code while the service is down is not used up", async ({ client, app: { appId }, visitor }) => {
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.askForCode(ADA);
  const { code } = await next;
  await client.faults.add({ match: { appId, method: "PUT" }, effect: { status: 500 }, times: 1 });
  await visitor.enterCode(code);
  await visitor.sees(WRONG_HERE);
  await visitor.press("Try again");
  await visitor.seesProfileOf("Ada");
});

test("logged in while profiles are down: trying again does not ask for the code again", async ({
  client,
  app: { appId },
  visitor,
}) => {
  await client.faults.add({ match: { appId, listener: "admin" }, effect: { status: 503 }, times: 1 });
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.sees(WRONG_HERE);
  await visitor.press("Try again");
  await visitor.seesProfileOf("Ada");
  expect((await client.sessions.list({ appId })).total).toBe(1);
});

test("no network, then there is", async ({ client, app: { appId }, visitor }) => {
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  await visitor.page.getByRole("heading", { name: "Log in" }).waitFor();
  const context = visitor.page.context();
  await context.setOffline(true);
  await visitor.askForCode(ADA);
  await visitor.sees(UNREACHABLE);
  await context.setOffline(false);
  const next = client.passcodes.next({ to: ADA, appId, after: await client.passcodes.cursor() });
  await visitor.press("Try again");
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
});

test("a phone that is none is said at its field; no trying again", async ({ visitor, lastReason }) => {
  await visitor.signUp({ name: "Ada", phone: "555" });
  await visitor.sees(/^Phone: /);
  expect(await visitor.page.getByRole("button", { name: "Try again" }).count()).toBe(0);
  expect(await lastReason()).toBe("invalid_fields");
});

test("an app that takes no new users", async ({ client, app: { appId }, visitor }) => {
  await client.apps.update(appId, { settings: { signUp: "closed" } });
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.sees("We are not taking new accounts at the moment.");
});

test("an app that the service does not know", async ({ app, page, serve }) => {
  const site = await serve(app, { appId: "nobody" });
  const visitor = createVisitor(page, site.url);
  await visitor.open();
  await visitor.askForCode(ADA);
  await visitor.sees("This app is not set up as it should be. We are on it.");
  await site.close();
});
