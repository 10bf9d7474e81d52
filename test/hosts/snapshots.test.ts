/**
 * What a restore has brought back survives `kill -9`, as all that was answered does; the snapshots themselves do not.
 */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Built, startBuilt, temporaryDir } from "./built.ts";
import { caller } from "./client.ts";

let data: Awaited<ReturnType<typeof temporaryDir>>;
let server: Built;
beforeEach(async () => {
  data = await temporaryDir();
});
afterEach(async () => {
  await server.stop("SIGKILL");
  await data.remove();
});

const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);
const state = async () => (await control("GET", "/state?volatile=1")).text;

test("kill -9 right after a restore: the restored world is there; faults and snapshots are gone", async () => {
  server = await startBuilt(["--data", data.dir]);
  const before = await state();
  await control("PUT", "/snapshots/start");
  await control("POST", "/faults", { match: { path: "/nowhere" }, effect: { drop: true } });
  const { items } = (await control("GET", "/profiles?appId=demo-app")).json;
  const userIds = items.slice(1, 5).map(({ userId }: { userId: string }) => userId);
  await control("POST", "/profiles/delete", { appId: "demo-app", userIds });
  await control("PATCH", `/profiles/${items[0].userId}?appId=demo-app`, { name: "Other" });
  await control("DELETE", "/apps/demo-mail");
  await control("POST", "/apps", { appId: "later" });
  expect((await control("POST", "/snapshots/start/restore")).status).toBe(200);
  expect(await state()).toBe(before);
  await server.stop("SIGKILL");

  server = await startBuilt(["--data", data.dir]);
  expect(await state()).toBe(before);
  expect((await control("GET", "/snapshots")).json.total).toBe(0);
  expect((await control("GET", "/faults")).json.total).toBe(0);
});
