/** An edit that removes a metadata key is one transaction, so a crash leaves the metadata from before or after it. */
import { cpSync, readdirSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { newDir } from "#test/store/support.ts";

const BEFORE = { plan: "free", city: "London" };
const AFTER = { plan: "team" };

const start = async (dataDir: string) => {
  const server = await startInProcess({ config: { dataDir, durability: "process" } });
  return { server, ...clientsOf(() => server) };
};

test("a crash at any byte of a metadata replacement leaves the old or the new metadata", async () => {
  const dataDir = newDir();
  const { server, control } = await start(dataDir);
  const fields = { appId: "demo-app", name: "Eve", metadata: BEFORE };
  const { userId } = (await control("POST", "/profiles", fields)).json;
  const journal = readdirSync(dataDir).find((name) => name.startsWith("journal-")) ?? "";
  const { length: from } = readFileSync(join(dataDir, journal));
  await control("PATCH", `/profiles/${userId}`, { name: "E", metadata: AFTER, metadataMode: "replace" });
  const { length: to } = readFileSync(join(dataDir, journal));
  expect(to).toBeGreaterThan(from);
  const found: unknown[] = [];
  for (const size of [from, from + 1, from + Math.floor((to - from) / 2), to - 1, to]) {
    const crashed = newDir();
    for (const name of ["stagedoor.json", journal]) cpSync(join(dataDir, name), join(crashed, name));
    truncateSync(join(crashed, journal), size);
    const again = await start(crashed);
    const { name, metadata } = (await again.control("GET", `/profiles/${userId}`)).json;
    found.push({ name, metadata });
    await again.server.close();
  }
  await server.close();
  const old = { name: "Eve", metadata: BEFORE };
  expect(found).toEqual([old, old, old, old, { name: "E", metadata: AFTER }]);
});
