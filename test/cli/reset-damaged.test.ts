/**
 * `start --reset` begins anew whatever the data is like, and throws nothing away (CONTRACT 7, 8).
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Built, startBuilt, temporaryDir } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";

let data: Awaited<ReturnType<typeof temporaryDir>>;
let server: Built | undefined;
beforeEach(async () => {
  data = await temporaryDir();
});
afterEach(async () => {
  await server?.stop("SIGKILL");
  await data.remove();
});

test("damaged data is refused with status 3, and set aside by --reset", async () => {
  const damaged = '{"version":1,\n"seq":oops';
  await writeFile(join(data.dir, "stagedoor.json"), damaged);
  await expect(startBuilt(["--data", data.dir])).rejects.toThrow(/ended with 3.*stagedoor\.json, byte \d+/s);
  expect(await readFile(join(data.dir, "stagedoor.json"), "utf8")).toBe(damaged);

  server = await startBuilt(["--data", data.dir, "--reset"]);
  const admin = caller(() => server?.ready.adminUrl ?? "", { Authorization: "Bearer sk_local_demo" });
  expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe("12");
  const kept = (await readdir(data.dir)).filter((name) => name.startsWith("stagedoor.json.damaged-"));
  expect(kept).toHaveLength(1);
  expect(await readFile(join(data.dir, kept[0] ?? ""), "utf8")).toBe(damaged);
});

test("--reset on good data begins anew from the fixtures", async () => {
  server = await startBuilt(["--data", data.dir]);
  const admin = caller(() => server?.ready.adminUrl ?? "", { Authorization: "Bearer sk_local_demo" });
  await admin("POST", "/v1/profiles", { name: "gone soon" });
  await server.stop();
  server = await startBuilt(["--data", data.dir, "--reset"]);
  expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe("12");
});
