import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { cleanEnv } from "#test/hosts/built.ts";
import { findingsAsIs } from "../../axe.ts";
import { ADA, test } from "./stage.ts";

const ask = (url: string, token: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/api/profile`, { ...init, headers: { Authorization: `Bearer ${token}` } });

test("a change goes through the backend to the service, and is there after a reload", async ({
  client,
  app,
  visitor,
}) => {
  const { appId } = app;
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.seesProfileOf("Ada");
  await visitor.field("Name").fill("Ada King");
  await visitor.field("Email").fill("ada@example.com");
  await visitor.field("Favorite seat").fill("A 1");
  await visitor.press("Save");
  await visitor.sees("Saved.");
  await visitor.seesProfileOf("Ada King");
  // The answer to an update says `phone: null`; the page does not believe it.
  await visitor.sees(`We reach you at ${ADA}.`);
  expect((await client.profiles.list({ appId })).items).toMatchObject([
    { name: "Ada King", phone: ADA, email: "ada@example.com", metadata: { favoriteSeat: "A 1" } },
  ]);
  await visitor.page.reload();
  await visitor.seesProfileOf("Ada King");
  expect(await visitor.field("Favorite seat").inputValue()).toBe("A 1");
});

test("what the service does not take is said by field, and nothing is changed", async ({ client, app, visitor }) => {
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.seesProfileOf("Ada");
  await visitor.field("Name").fill("Ada King");
  await visitor.field("Email").fill("no address");
  await visitor.press("Save");
  await visitor.sees(/^Email: /);
  expect((await client.profiles.list({ appId: app.appId })).items).toMatchObject([{ name: "Ada", email: null }]);
});

test("the backend takes a token of its own app alone", async ({ client, app, site }) => {
  const other = await client.apps.create();
  const tokenOf = async (appId: string) => {
    const { userId } = await client.profiles.create({ appId, phone: ADA, name: appId });
    return (await client.sessions.create({ appId, userId })).token;
  };
  const [mine, foreign] = [await tokenOf(app.appId), await tokenOf(other.appId)];
  const answer = await ask(site.url, mine);
  expect([answer.status, await answer.json()]).toMatchObject([200, { name: app.appId, phone: ADA }]);
  const [head, , signature] = mine.split(".");
  const [, claims] = foreign.split(".");
  for (const token of [foreign, `${head}.${claims}.${signature}`, "nonsense", ""])
    expect((await ask(site.url, token)).status, token).toBe(401);
  expect((await ask(site.url, mine, { method: "PUT", body: "{" })).status).toBe(422);
  expect((await ask(site.url, mine, { method: "DELETE" })).status).toBe(405);
  await client.apps.delete(other.appId);
});

test("a user who was deleted is logged out", async ({ client, app: { appId }, visitor }) => {
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.seesProfileOf("Ada");
  const [ada] = (await client.profiles.list({ appId })).items;
  await client.profiles.delete(ada?.userId ?? "", { appId });
  await visitor.press("Refresh");
  await visitor.sees("Your session has ended. Please log in again.");
  await visitor.page.getByRole("heading", { name: "Log in" }).waitFor();
});

test("a session that has expired, by the clock", async ({ client, app: { appId }, visitor }) => {
  // The token is of two days ago: for a backend, which goes by real time, it ended yesterday.
  await client.clock.set({ offsetSeconds: -172_800 }, { appId });
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.sees("Your session has ended. Please log in again.");
  await client.clock.reset({ appId });
  const next = client.passcodes.next({ to: ADA, appId, after: await client.passcodes.cursor() });
  await visitor.askForCode(ADA);
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
});

test("its command serves what was built, for the app that the environment names", async ({ app, client, pages }) => {
  const { admin, auth } = (await client.status()).urls;
  const child = spawn(process.execPath, [fileURLToPath(new URL("../backend/main.mjs", import.meta.url)), pages], {
    env: {
      ...cleanEnv(),
      PORT: "0",
      STAGEDOOR_ADMIN_URL: admin,
      STAGEDOOR_AUTH_URL: auth,
      STAGEDOOR_APP_ID: app.appId,
      STAGEDOOR_APP_SECRET: app.secret,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const url = /http:\S+/.exec(line)?.[0] ?? "";
  expect(await (await fetch(url)).text()).toContain("<title>Front Row</title>");
  expect(await (await fetch(`${url}/config.json`)).json()).toEqual({ authUrl: auth, appId: app.appId });
  const { userId } = await client.profiles.create({ appId: app.appId, phone: ADA, name: "Ada" });
  const { token } = await client.sessions.create({ appId: app.appId, userId });
  expect(await (await ask(url, token)).json()).toMatchObject({ name: "Ada", phone: ADA });
  const ended = once(child, "exit");
  child.kill();
  await ended;
});

test("one build serves any app", async ({ client, app, visitor, page, serve }) => {
  const other = await client.apps.create();
  const site = await serve(other);
  await visitor.signUp({ name: "Ada", phone: ADA });
  await visitor.seesProfileOf("Ada");
  await page.goto(site.url);
  await visitor.signUp({ name: "Another Ada", phone: ADA });
  await visitor.seesProfileOf("Another Ada");
  for (const [{ appId }, name] of [
    [app, "Ada"],
    [other, "Another Ada"],
  ] as const)
    expect((await client.profiles.list({ appId })).items).toMatchObject([{ name }]);
  await site.close();
  await client.apps.delete(other.appId);
});

test("axe finds nothing on the three screens", async ({ client, app: { appId }, visitor }) => {
  await visitor.page.getByRole("heading", { name: "Log in" }).waitFor();
  expect(await findingsAsIs(visitor.page)).toEqual([]);
  await client.profiles.create({ appId, phone: ADA, name: "Ada" });
  const next = client.passcodes.next({ to: ADA, appId, after: await client.passcodes.cursor() });
  await visitor.askForCode(ADA);
  await visitor.enterCode("no code");
  await visitor.sees(/no longer valid/);
  expect(await findingsAsIs(visitor.page)).toEqual([]);
  await visitor.enterCode((await next).code);
  await visitor.seesProfileOf("Ada");
  expect(await findingsAsIs(visitor.page)).toEqual([]);
});
