/** Options that were removed say so for one version, and so does what they left in the data folder. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
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
