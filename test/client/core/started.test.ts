/** `stagedoor/testing` as published: an emulator in the process of the tests. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHECKOUT, type Installed, installPacked } from "../installed.ts";

let installed: Installed;
beforeAll(async () => {
  installed = await installPacked();
});
afterAll(() => installed?.remove());

test("starts in process, returns to its initial state on reset, keeps what it is told to keep, and lets the process end", async () => {
  const data = join(installed.dir, "data");
  await installed.write({
    "national.csv": "Name,Line\nIda,(202) 555-0121\n",
    "twice.csv": "name,phone\nIda,+12025550122\nAl,+12025550122\n",
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

      const mine = await startStagedoor({ fixtures: ["world.json"] });
      await mine.client.profiles.create({ appId: "mine", phone: "+12025550112" });
      await mine.reset();
      assert.equal((await mine.client.profiles.list({ appId: "mine" })).total, 1);
      const port = Number(new URL(mine.adminUrl).port);
      const refused = (options, reason, message) =>
        assert.rejects(startStagedoor(options), (error) => {
          assert(error instanceof StagedoorError);
          assert.equal(error.reason, reason);
          assert.match(error.message, message);
          assert.doesNotMatch(error.message, /--|STAGEDOOR_/);
          return true;
        });
      await refused({ ports: { admin: port } }, "port_in_use", new RegExp(port + ".*ports\\.admin"));
      await refused({ ports: { auth: 99999 } }, "invalid_options", /ports\\.auth must be a whole number/);
      await refused({ ports: { authh: 1 } }, "invalid_fields", /did you mean "auth"/);
      await refused({ fixture: ["world.json"] }, "invalid_fields", /fixture is unknown; did you mean "fixtures"/);
      await refused({ fixtures: ["gone.json"] }, "invalid_fixtures", /gone\\.json/);
      const national = { file: "national.csv", map: { Line: "phone" } };
      await refused({ fixtures: [national] }, "invalid_fixtures", /2: phone: has no country code .*\\n.*country: "US"/);
      await refused({ fixtures: [{ file: "twice.csv" }] }, "invalid_fixtures", /add duplicates: "first" or "last"/);
      await refused({ fixtures: [{ file: "twice.csv", contry: "US" }] }, "invalid_fields", /fixtures\\[0\\]\\.contry is unknown; did you mean "country"/);
      const users = await startStagedoor({ fixtures: [{ ...national, country: "US", rest: undefined }, { file: "twice.csv", duplicates: "last" }] });
      await users.reset();
      const { items } = await users.client.profiles.list({ appId: "demo-app" });
      assert.deepEqual(items.map(({ name }) => name).sort(), ["Al", "Ida"]);
      await users.close();
      await refused({ world: { apps: [{ appId: "" }] } }, "invalid_fields", /apps\\[0\\]\\.appId/);
      await mine.close();

      const world = { apps: [{ appId: "other", profiles: [{ phone: "+12025550113" }] }] };
      const other = await startStagedoor({ world });
      const names = async () => (await other.client.apps.list()).items.map(({ appId }) => appId);
      assert.deepEqual(await names(), ["other"]);
      for (const reset of [other.reset, other.client.state.reset, () => other.client.state.reset({ appId: "other" })]) {
        await other.client.profiles.create({ appId: "other", phone: "+12025550114" });
        await reset();
        assert.deepEqual(await names(), ["other"]);
        assert.equal((await other.client.profiles.list({ appId: "other" })).total, 1);
      }
      // What is open does not keep the process alive after a close.
      const loop = (async () => {
        for await (const event of other.client.events({ onOpen: () => other.client.apps.create() })) return event;
      })();
      assert.equal((await loop).type, "app.put");
      const endless = (async () => {
        for await (const _ of other.client.events());
        return "ended";
      })();
      await other[Symbol.asyncDispose]();
      assert.equal(await endless, "ended");

      const first = await startStagedoor({ dataDir: ${JSON.stringify(data)} });
      await first.client.apps.create({ appId: "kept" });
      await first.close();
      const second = await startStagedoor({ dataDir: ${JSON.stringify(data)} });
      await second.client.apps.get("kept");
      await second.close();
      console.log("done");
    `,
  });
  // The environment is for processes; a developer's settings there must not affect tests.
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
