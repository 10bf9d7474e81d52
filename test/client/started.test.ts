/**
 * `stagedoor/testing` as it is published: an emulator in the process of the tests.
 */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, type Installed, installPacked } from "./installed.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed?.remove());

test("starts in process, is itself again after a reset, keeps what it is told to keep, and lets the process end", async () => {
  const data = join(installed.dir, "data");
  await installed.write({
    "world.json": JSON.stringify({ version: 1, apps: [{ appId: "mine", profiles: [{ phone: "+12025550111" }] }] }),
    "started.mjs": `
      import assert from "node:assert/strict";
      import { StagedoorError } from "stagedoor/client";
      import { startStagedoor } from "stagedoor/testing";

      const demo = await startStagedoor();
      assert.deepEqual((await demo.client.apps.list()).items.map(({ appId }) => appId), ["demo-app", "demo-mail"]);
      await assert.rejects(demo.client.apps.get("nobody"), StagedoorError);
      assert.equal((await demo.client.status()).durability, "memory");
      const waiting = demo.client.passcodes.next({ to: "+12025550100" });
      await Promise.all([demo.close(), demo.close()]);
      await assert.rejects(waiting, StagedoorError);

      const mine = await startStagedoor({ fixtures: ["world.json"], world: { version: 1, apps: [{ appId: "other" }] } });
      assert.deepEqual((await mine.client.apps.list()).items.map(({ appId }) => appId), ["other"]);
      await mine.client.state.reset();
      assert.equal((await mine.client.profiles.list({ appId: "mine" })).total, 1);
      const { port } = new URL(mine.adminUrl);
      await assert.rejects(startStagedoor({ ports: { admin: Number(port) } }), new RegExp(port));
      await mine.close();

      await assert.rejects(startStagedoor({ fixtures: ["gone.json"] }), /gone\\.json/);
      await assert.rejects(startStagedoor({ world: { version: 1, apps: [{ appId: "" }] } }), StagedoorError);

      const first = await startStagedoor({ dataDir: ${JSON.stringify(data)} });
      await first.client.apps.create({ appId: "kept" });
      await first.close();
      const second = await startStagedoor({ dataDir: ${JSON.stringify(data)} });
      await second.client.apps.get("kept");
      await second.close();
      console.log("done");
    `,
  });
  // The environment is for processes; what a developer has set there is no part of a test.
  const env = { STAGEDOOR_ADMIN_PORT: "1", STAGEDOOR_FIXTURES: "nowhere.json" };
  expect(await installed.node(["started.mjs"], env)).toBe("done\n");
});

test("its types compile in a strict project", async () => {
  await installed.write({
    "consumer.mts": `
      import type { Client } from "stagedoor/client";
      import { type Stagedoor, type StartOptions, startStagedoor } from "stagedoor/testing";

      const options: StartOptions = { fixtures: ["a.json"], ports: { auth: 4011 } };
      export const stagedoor: Stagedoor = await startStagedoor(options);
      export const client: Client = stagedoor.client;
      // @ts-expect-error: a port is a number
      await startStagedoor({ ports: { auth: "4011" } });
    `,
    "tsconfig.json": JSON.stringify({
      compilerOptions: {
        ...{ module: "nodenext", target: "es2022", lib: ["es2022", "dom", "dom.iterable"], types: [], noEmit: true },
        ...{ strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false },
      },
      files: ["consumer.mts"],
    }),
  });
  expect(await installed.node([join(CHECKOUT, "node_modules/typescript/bin/tsc"), "-p", "."])).toBe("");
});
