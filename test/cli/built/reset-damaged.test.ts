/** `start --reset` begins from scratch whatever the data is like, and discards nothing. */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { useBuilt } from "#test/hosts/use-built.ts";

const at = useBuilt();

test("damaged data is refused with status 3, and set aside by --reset", async () => {
  const damaged = '{"version":1,\n"seq":oops';
  await writeFile(join(at.dir, "stagedoor.json"), damaged);
  await expect(startBuilt(["--data", at.dir])).rejects.toThrow(/ended with 3.*stagedoor\.json, byte \d+/s);
  expect(await readFile(join(at.dir, "stagedoor.json"), "utf8")).toBe(damaged);

  await at.start("--reset");
  const admin = caller(() => at.server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
  expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe("12");
  const kept = (await readdir(at.dir)).filter((name) => name.startsWith("stagedoor.json.damaged-"));
  expect(kept).toHaveLength(1);
  expect(await readFile(join(at.dir, kept[0] ?? ""), "utf8")).toBe(damaged);
});

test("--reset on good data restores the fixtures", async () => {
  await at.start();
  const admin = caller(() => at.server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
  await admin("POST", "/v1/profiles", { name: "gone soon" });
  await at.server.stop();
  await at.start("--reset");
  expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe("12");
});
