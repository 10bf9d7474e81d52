/** What was removed says so for one version: options, settings, and what they left in the data folder. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { caller } from "../hosts/client.ts";
import { startInProcess } from "../hosts/in-process.ts";

test("--persist-requests has no effect, and the file that it kept can be deleted", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-removed-"));
  const durability = "process";
  await (await startInProcess({ config: { dataDir, durability } })).close();
  await writeFile(join(dataDir, "requests-3.ndjson"), "{}\n");
  const server = await startInProcess({ config: { dataDir, durability, persistRequests: true } });
  expect(server.notices).toEqual([
    expect.stringMatching(/^--persist-requests was removed .*requests --save FILE/),
    expect.stringMatching(/^requests-3\.ndjson in .* can be deleted/),
  ]);
  await server.close();
  await rm(dataDir, { recursive: true });
});

test("the setting show is refused with what to do, and dropped with a notice where it is stored", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-removed-"));
  const durability = "process";
  const started = async () => {
    const server = await startInProcess({ config: { dataDir, durability } });
    return { server, control: caller(() => `${server.urls.console}/emulator/v1`) };
  };
  const first = await started();
  const show = ["1", "Space"];
  const removed = [expect.stringMatching(/^was removed .*delete it/)];
  expect((await first.control("PATCH", "/apps/demo-app", { settings: { show } })).json).toEqual({
    "settings.show": removed,
  });
  for (const state of [
    { show, apps: [] },
    { apps: [{ appId: "a", show }] },
    { apps: [{ appId: "a", settings: { show } }] },
  ]) {
    const { status, json } = await first.control("PUT", "/state", { mode: "merge", state });
    expect([status, Object.values(json)]).toEqual([422, [removed]]);
  }
  await first.control("PATCH", "/apps/demo-app", { settings: { locale: "de" } });
  await first.server.close();

  const file = join(dataDir, "stagedoor.json");
  const text = await readFile(file, "utf8");
  await writeFile(file, text.replace('"locale":"de"', '"locale":"de","show":["1"]'));
  const second = await started();
  expect(second.server.notices).toEqual([expect.stringMatching(/^The setting "show" of demo-app was dropped/)]);
  expect((await second.control("GET", "/apps/demo-app")).json.settings).toEqual({ locale: "de" });
  await second.server.close();
  const third = await started();
  expect(third.server.notices).toEqual([]);
  await third.server.close();
  await rm(dataDir, { recursive: true });
});
