/** A message has at most 4,096 characters; a template that an earlier version stored is cut, with a notice. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let dataDir = "";
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "stagedoor-templates-"));
});
afterAll(async () => await rm(dataDir, { recursive: true, force: true }));

const started = async () => {
  const server = await startInProcess({ config: { dataDir, durability: "disk" } });
  const control = caller(() => `${server.urls.console}/emulator/v1`);
  return { server, control, auth: caller(() => server.urls.auth) };
};

test("a stored template that is too long is named at the start, and its messages are cut", async () => {
  const first = await started();
  const { status } = await first.control("PATCH", "/apps/demo-mail", {
    settings: { message: { email: "{code} SHORT" } },
  });
  expect(status).toBe(200);
  expect(first.server.notices.join()).not.toContain("4,096");
  await first.server.close();
  const file = join(dataDir, "stagedoor.json");
  const text = await readFile(file, "utf8");
  expect(text).toContain("{code} SHORT");
  await writeFile(file, text.replace("{code} SHORT", `{code} ${"{app}".repeat(1_900)}`));

  const { server, control, auth } = await started();
  expect(server.notices).toContain(
    "The message of demo-mail is longer than 4,096 characters when it is filled in, and is cut. Shorten message.sms or message.email in its settings.",
  );
  const { items } = (await control("GET", "/profiles?appId=demo-mail&limit=1")).json;
  const user = { email: items[0].email };
  expect((await auth("POST", "/v1/users/session", { appId: "demo-mail", user })).status).toBe(202);
  const { message, code } = (await control("GET", "/passcodes/latest?appId=demo-mail")).json;
  expect([message.length, message.startsWith(`${code} Demo`)]).toEqual([4_096, true]);
  // Whoever changes it keeps to the bound.
  const longer = { settings: { message: { email: `{code} ${"{app}".repeat(1_800)}` } } };
  expect((await control("PATCH", "/apps/demo-mail", longer)).status).toBe(422);
  await server.close();
});
