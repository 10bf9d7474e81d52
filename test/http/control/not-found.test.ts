import { expect, test } from "vitest";
import { harness, NOBODY } from "./support.ts";

const { control } = harness();

test.each([
  ["GET", "/apps/ghost", 'No app "ghost". Apps: demo-app, demo-mail'],
  ["DELETE", "/state?appId=ghost", 'No app "ghost". Apps: demo-app, demo-mail'],
  ["GET", "/clock?appId=ghost", 'No app "ghost". Apps: demo-app, demo-mail'],
  ["PUT", "/snapshots/first?appId=ghost", 'No app "ghost". Apps: demo-app, demo-mail'],
  ["POST", "/snapshots/ghost/restore", 'No snapshot "ghost". Snapshots: none'],
  ["GET", `/faults/${NOBODY}`, `No fault "${NOBODY}". Faults: none`],
  ["GET", `/profiles/${NOBODY}`, `No profile "${NOBODY}"`],
  ["POST", "/sessions/ghost/expire", 'No session "ghost"'],
  ["DELETE", "/connections/ghost", 'No connection "ghost"'],
  ["GET", `/passcodes/${"g".repeat(80)}`, `No passcode "${"g".repeat(64)}"`],
  ["GET", "/requests/ghost/curl", 'No request "ghost"'],
] as const)("%s %s names what was not found", async (method, path, instruction) => {
  const reply = await control(method, path);
  expect(reply).toMatchObject({ status: 404, json: { message: "Not Found", instruction } });
});

test("an import of one app names an app that neither Stagedoor nor the import has", async () => {
  const write = async (appId: string) =>
    await control("PUT", `/state?appId=${appId}`, { mode: "merge", state: { apps: [{ appId: "new" }] } });
  const instruction = 'No app "ghost". Apps: demo-app, demo-mail';
  expect(await write("ghost")).toMatchObject({ status: 404, json: { instruction } });
  expect(await write("demo-app")).toMatchObject({
    status: 422,
    json: { apps: ['must have the app "demo-app"; it has new'] },
  });
  expect((await write("new")).status).toBe(200);
});

test("an unknown snapshot, or an unknown app in one, lists the existing snapshots", async () => {
  await control("PUT", "/snapshots/before");
  await control("PUT", "/snapshots/mine?appId=demo-app");
  const instruction = async (path: string) => (await control("POST", path)).json.instruction;
  expect(await instruction("/snapshots/ghost/restore?appId=demo-app")).toBe(
    'No snapshot "ghost". Snapshots: mine, before',
  );
  expect(await instruction("/snapshots/before/restore?appId=ghost")).toBe('No app "ghost" in the snapshot "before"');
});

test("long lists are left out", async () => {
  for (let n = 0; n < 20; n++) await control("POST", "/apps", {});
  expect((await control("GET", "/apps/ghost")).json.instruction).toBe('No app "ghost"');
});
