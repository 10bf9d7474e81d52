import { expect } from "vitest";
import { wrongCode } from "../../stage.ts";
import { ADA, test } from "./stage.ts";
import { createVisitor } from "./visitor.ts";

const REFUSED = "This code is not right, or no longer valid. Check it, or ask for another one.";

test("a new user signs up and is logged in at once, without a code", async ({ client, app: { appId }, visitor }) => {
  await visitor.signUp({ name: "Ada", phone: ADA, email: "ada@example.com" });
  await visitor.seesProfileOf("Ada");
  await visitor.sees("Your account is ready.");
  expect((await client.profiles.list({ appId })).items).toMatchObject([
    { name: "Ada", phone: ADA, email: "ada@example.com" },
  ]);
  expect((await client.sessions.list({ appId, state: "active" })).total).toBe(1);
  expect((await client.passcodes.list({ appId })).total).toBe(0);
});

test("a known user logs in by the code, stays so across a reload, and logs out", async ({ client, app, visitor }) => {
  const { appId } = app;
  const { userId } = await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.askForCode(ADA);
  await visitor.sees(`We have sent a code to ${ADA}.`);
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
  await client.profiles.update(userId, { name: "Ada King" }, { appId });
  await visitor.press("Refresh");
  await visitor.seesProfileOf("Ada King");
  await visitor.page.reload();
  await visitor.seesProfileOf("Ada King");
  await visitor.press("Log out");
  await visitor.sees("You are logged out.");
  await visitor.page.reload();
  await visitor.page.getByRole("heading", { name: "Log in" }).waitFor();
});

test("who signs up with a phone that is known gets a code, and the profile what the form said", async ({
  client,
  app: { appId },
  visitor,
}) => {
  await client.profiles.create({ appId, phone: ADA });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.signUp({ name: "Ada", phone: ADA, email: "ada@example.com" });
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
  const { items } = await client.profiles.list({ appId });
  expect(items).toMatchObject([{ name: "Ada", email: "ada@example.com" }]);
});

test("a wrong code is refused, the right one then works", async ({ client, app: { appId }, visitor, lastReason }) => {
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.askForCode(ADA);
  const { code } = await next;
  await visitor.enterCode(wrongCode(code));
  await visitor.sees(REFUSED);
  expect(await lastReason()).toBe("passcode_mismatch");
  await visitor.enterCode(code);
  await visitor.seesProfileOf("Ada");
});

test("a code works once: on a second device it was replaced, then used", async ({
  client,
  app,
  site,
  visitor,
  page,
}) => {
  const { appId } = app;
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const reasons = async () =>
    (await client.requests.list({ appId, status: 401 })).items.map(({ reason }) => reason).toReversed();
  const codeFor = async (who: typeof visitor) => {
    const next = client.passcodes.next({ to: ADA, appId });
    await who.askForCode(ADA);
    return (await next).code;
  };
  const context = await page.context().browser()?.newContext();
  if (context === undefined) throw new Error("there is no browser");
  const tablet = createVisitor(await context.newPage(), site.url);
  await tablet.open();
  const first = await codeFor(tablet);
  let second = await codeFor(visitor);
  // One chance in a million: a code that is replaced by itself would be right.
  while (second === first) {
    await visitor.press("Use another phone");
    second = await codeFor(visitor);
  }
  await tablet.enterCode(first);
  await tablet.sees(REFUSED);
  await visitor.enterCode(second);
  await visitor.seesProfileOf("Ada");
  await tablet.enterCode(second);
  await expect.poll(reasons).toEqual(["passcode_replaced", "passcode_used"]);
  await tablet.sees(REFUSED);
  await context.close();
});

test("a code that has expired, by the clock", async ({ client, app: { appId }, visitor, lastReason }) => {
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const next = client.passcodes.next({ to: ADA, appId });
  await visitor.askForCode(ADA);
  const { code } = await next;
  await client.clock.advance(601, { appId });
  await visitor.enterCode(code);
  await visitor.sees(REFUSED);
  expect(await lastReason()).toBe("passcode_expired");
  // Back first: a token from the future is not valid yet for a backend that goes by real time.
  await client.clock.reset({ appId });
  const another = client.passcodes.next({ to: ADA, appId, after: await client.passcodes.cursor() });
  await visitor.press("Send another code");
  await visitor.enterCode((await another).code);
  await visitor.seesProfileOf("Ada");
});
