/** `stagedoor/client` as published: in an empty directory without other packages, not even Electron or zod. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { test } from "#test/support/browser.ts";
import { CHECKOUT, type Installed, installPacked } from "../installed.ts";

let installed: Installed;
let built: Built;
beforeAll(async () => {
  [installed, built] = await Promise.all([installPacked(), startBuilt(["--ephemeral"])]);
});
afterAll(async () => {
  await built?.stop();
  await installed?.remove();
});

test("its declarations have nothing that TypeScript 5.2 lacks, which npm run packed checks with that compiler", async () => {
  const folders = ["client", "frameworks"].map((name) => join(installed.dir, "node_modules/stagedoor/dist", name));
  for (const folder of folders)
    for (const name of (await readdir(folder)).filter((file) => file.endsWith(".d.ts")))
      expect(await readFile(join(folder, name), "utf8"), name).not.toMatch(
        /\b(?:\w+Array|Buffer|DataView)<ArrayBuffer/,
      );
});

const CONSUMER = `
import { type Client, connect, type Passcode, type Settings, StagedoorError, type StagedoorEvent } from "stagedoor/client";

const settings: Settings = { passcode: { length: 4 }, signUp: "closed" };
export const login = async (client: Client = connect({ consoleUrl: "http://127.0.0.1:4012" })): Promise<string> => {
  const { appId } = await client.apps.create({ strategy: "email", settings });
  const passcode: Passcode = await client.passcodes.next({ to: "a@example.com", appId, timeoutMs: 1_000 });
  for await (const event of client.events()) {
    const seen: StagedoorEvent = event;
    if (event.type === "passcode.put") return event.item.code + seen.type;
    // @ts-expect-error: not every event has a code
    event.item.code;
  }
  // @ts-expect-error: it is spelled otherwise
  await client.apps.create({ stragety: "email" });
  try {
    await client.clock.advance(60, { appId });
  } catch (error) {
    if (error instanceof StagedoorError) return error.reason + error.status;
  }
  return passcode.code;
};
`;

test.each([
  ["nodenext", "nodenext"],
  ["esnext", "bundler"],
])("its types compile in a strict project: module %s, resolution %s", async (module, moduleResolution) => {
  await installed.write({
    "consumer/consumer.mts": CONSUMER,
    "consumer/tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{ module, moduleResolution, target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false },
        noEmit: true,
      },
    }),
  });
  expect(await installed.node([join(CHECKOUT, "node_modules/typescript/bin/tsc"), "-p", "consumer"])).toBe("");
});

test("it works in a page of the console's origin", async ({ page }) => {
  const { consoleUrl } = built.ready;
  await page.route(`${consoleUrl}/page/**`, async (route) => {
    const name = new URL(route.request().url()).pathname.replace("/page/", "");
    if (name === "") return await route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
    const body = await readFile(join(installed.dir, "node_modules/stagedoor/dist/client", name), "utf8");
    return await route.fulfill({ contentType: "text/javascript", body });
  });
  await page.goto(`${consoleUrl}/page/`);
  const seen = await page.evaluate(`import("/page/index.js").then(async ({ connect }) => {
    const client = connect(location.origin);
    const { appId } = await client.apps.create();
    const { userId } = await client.profiles.create({ appId, phone: "+12025550100" });
    const { code } = await client.passcodes.requestedBy(() => client.passcodes.send({ appId, userId }), { to: "+12025550100" });
    return code;
  })`);
  expect(seen).toMatch(/^\d{6}$/);
});
