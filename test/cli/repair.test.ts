import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readData } from "#server/data-check.ts";
import { repairData } from "#server/data-repair.ts";
import { startInProcess } from "../hosts/in-process.ts";

let home = "";
let original = "";
let made = 0;
/** A data directory as a kill leaves it: the demo in the snapshot, five sign-ups in the journal. */
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

/** Puts a damaged file in the place of a good one, mends, and looks at what is left. */
const mend = async (name: string, bytes: Buffer) => {
  const data = await copyFiles(original, join(home, String(++made)));
  await writeFile(join(data, name), bytes);
  const lines: string[] = [];
  const wasDamaged = "damage" in readData(data);
  const failure = await repairData(data, "20260101T000000Z", (line) => void lines.push(line));
  const left = readData(data);
  const names = await readdir(data);
  const kept = await Promise.all(
    names.filter((file) => /\.(damaged|torn)-/.test(file)).map((file) => readFile(join(data, file))),
  );
  const now = await readFile(join(data, name)).catch(() => Buffer.alloc(0));
  return {
    now,
    failure,
    wasDamaged,
    left,
    lines,
    kept,
    again: await repairData(data, "again", (line) => void lines.push(line)),
  };
};

const flipped = (whole: Buffer, place: number, bits: number): Buffer => {
  const bytes = Buffer.from(whole);
  bytes[place] = (bytes[place] ?? 0) ^ bits;
  return bytes;
};

const snapshotName = "stagedoor.json";

describe("whatever is damaged, the mended data can be read, and the damaged file is kept", () => {
  test("a snapshot cut short, or with a byte changed, at places all over", async () => {
    const whole = await readFile(join(original, snapshotName));
    let mended = 0;
    for (let place = 0; place < whole.length; place += 151) {
      for (const bytes of [whole.subarray(0, place), flipped(whole, place, 0x85), flipped(whole, place, 0x02)]) {
        const { failure, wasDamaged, left, kept, again, now } = await mend(snapshotName, bytes);
        expect(failure?.message ?? "").toBe("");
        expect(again).toBeUndefined();
        expect(left).not.toHaveProperty("damage");
        // A changed value may be no fault of the snapshot, but one that the journal does not fit.
        if (wasDamaged)
          expect(
            [...kept, now].some((one) => one.equals(bytes)),
            `byte ${place}`,
          ).toBe(true);
        if (wasDamaged) expect(kept).not.toHaveLength(0);
        if (wasDamaged) mended++;
      }
    }
    expect(mended).toBeGreaterThan(whole.length / 151);
  }, 60_000);

  test("most of the damage costs one record, and no more", async () => {
    const whole = await readFile(join(original, snapshotName));
    const all = readData(original);
    const profiles = "profiles" in all ? all.profiles : 0;
    const inside = whole.indexOf("+12025550101");
    const { left } = await mend(snapshotName, flipped(whole, inside - 1, 0x85));
    expect(left).toMatchObject({ apps: 2, profiles: profiles - 1 });
  });

  test("a journal with a byte changed, at places all over: what came before stays", async () => {
    const name = (await readdir(original)).find((file) => file.startsWith("journal-")) ?? "";
    const whole = await readFile(join(original, name));
    let before = 0;
    for (let place = 0; place < whole.length; place += 43) {
      const bytes = flipped(whole, place, 0x04);
      const { failure, left, kept } = await mend(name, bytes);
      expect(failure?.message ?? "").toBe("");
      expect(left).not.toHaveProperty("damage");
      expect(
        kept.some((one) => one.equals(bytes)),
        `byte ${place}`,
      ).toBe(true);
      const profiles = "profiles" in left ? left.profiles : 0;
      expect(profiles).toBeGreaterThanOrEqual(before);
      before = profiles;
    }
    expect(before).toBeGreaterThan(18);
  }, 60_000);

  test("a key that is lost is made anew, and said", async () => {
    const text = await readFile(join(original, snapshotName), "utf8");
    const { left, lines } = await mend(snapshotName, Buffer.from(text.replace(/"key":\{/, '"key":{{')));
    expect(left).toMatchObject({ apps: 2 });
    expect(lines.join("\n")).toContain("new one");
  });
});
