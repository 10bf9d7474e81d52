/** `stagedoor doctor --repair` on all kinds of damage: it never discards anything. */
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inspectData } from "#server/repair/inspect.ts";
import { repairData } from "#server/repair/repair.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let home = "";
let original = "";
let made = 0;
/** A data directory after a kill: the demo in the document file, five sign-ups in the journal. */
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "stagedoor-repair-"));
  const live = join(home, "live");
  original = join(home, "original");
  const server = await startInProcess({ config: { dataDir: live, durability: "process" } });
  for (let i = 0; i < 5; i++)
    await fetch(`${server.urls.auth}/v1/users/session`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        appId: "demo-app",
        user: { phone: `+1202555016${i}` },
      }),
    });
  await copyFiles(live, original);
  await server.close();
});
afterAll(() => rm(home, { recursive: true, force: true }));

async function copyFiles(from: string, to: string): Promise<string> {
  await mkdir(to, { mode: 0o700 });
  for (const name of await readdir(from)) if (name !== "lock.json") await copyFile(join(from, name), join(to, name));
  return to;
}

const repair = async (data: string, stamp: string) => {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  return { failure: await repairData(data, { stamp, say, onNotice: say }), lines };
};

const filesIn = async (data: string): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all((await readdir(data)).map(async (name) => [name, await readFile(join(data, name), "latin1")])),
  );

/** Replaces a good file with a damaged one, repairs it, and inspects what is left. */
const damage = async (name: string, bytes: Buffer) => {
  const data = await copyFiles(original, join(home, String(++made)));
  await writeFile(join(data, name), bytes);
  const before = await filesIn(data);
  const wasDamaged = "damage" in (await inspectData(data));
  const { failure, lines } = await repair(data, "20260101T000000Z");
  const after = await filesIn(data);
  return { data, before, after, failure, wasDamaged, left: await inspectData(data), lines };
};

const flipped = (whole: Buffer, place: number, bits: number): Buffer => {
  const bytes = Buffer.from(whole);
  bytes[place] = (bytes[place] ?? 0) ^ bits;
  return bytes;
};

const documentName = "stagedoor.json";

describe("a damaged journal", () => {
  test("with any byte changed keeps every change before it, and backs up the whole file", async () => {
    const name = (await readdir(original)).find((file) => file.startsWith("journal-")) ?? "";
    const whole = await readFile(join(original, name));
    let before = 0;
    for (let place = 0; place < whole.length; place += 43) {
      const bytes = flipped(whole, place, 0x04);
      const { data, failure, left, after } = await damage(name, bytes);
      expect(failure?.message ?? "").toBe("");
      expect(left).not.toHaveProperty("damage");
      const kept = Object.entries(after).filter(([file]) => /\.(damaged|torn)-/.test(file));
      expect(kept.map(([, text]) => text).includes(bytes.toString("latin1")), `byte ${place}`).toBe(true);
      expect(await repair(data, "again")).toEqual({ failure: undefined, lines: [] });
      const profiles = "profiles" in left ? left.profiles : 0;
      expect(profiles).toBeGreaterThanOrEqual(before);
      before = profiles;
    }
    expect(before).toBeGreaterThan(18);
  }, 60_000);
});

describe("a damaged document", () => {
  test("truncated or with any byte changed is left untouched, and the report says what to do", async () => {
    const whole = await readFile(join(original, documentName));
    let damaged = 0;
    for (let place = 0; place < whole.length; place += 503) {
      for (const bytes of [whole.subarray(0, place), flipped(whole, place, 0x85), flipped(whole, place, 0x02)]) {
        const { data, before, after, failure, wasDamaged } = await damage(documentName, bytes);
        // A changed value may be valid in itself and only contradict the journal.
        if (!wasDamaged || failure === undefined) continue;
        damaged++;
        expect(failure.message).toContain(join(data, documentName));
        expect(failure.message).toContain("--reset");
        expect(failure.offset).toBeLessThanOrEqual(bytes.length);
        expect(after).toEqual(before);
      }
    }
    expect(damaged).toBeGreaterThan(whole.length / 503);
  }, 60_000);
});
