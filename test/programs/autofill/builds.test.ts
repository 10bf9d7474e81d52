/** Reads builds that apksigner and jarsigner signed (builds/make.sh), and hostile ones made of them. */
import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Build, readBuild } from "#features/devices/build/build.ts";

const FOLDER = new URL("builds/", import.meta.url);
const file = (name: string): Promise<Buffer> => readFile(new URL(name, FOLDER));
const expected = JSON.parse(await readFile(new URL("expected.json", FOLDER), "utf8"));

/** Reads bytes as a file, and counts those that were read. @param size larger: a file of that many zeros. */
const read = async (bytes: Uint8Array, size = bytes.length) => {
  let count = 0;
  const build = await readBuild({
    size,
    read: async (offset, length) => {
      count += length;
      return size > bytes.length ? new Uint8Array(length) : bytes.subarray(offset, offset + length);
    },
  });
  return { build, count };
};
const errorOf = async (bytes: Uint8Array): Promise<string> => {
  const { build } = await read(bytes);
  return "error" in build ? build.error : JSON.stringify(build);
};

const END = Buffer.from("PK\x05\x06", "latin1");
const V3 = Buffer.from([0xc0, 0x68, 0x53, 0xf0]);

/** Puts bytes in front of the list of entries. */
const inserted = (apk: Buffer, from: number, to: number, bytes: Buffer): Buffer => {
  const end = apk.lastIndexOf(END);
  const moved = Buffer.concat([apk.subarray(0, from), bytes, apk.subarray(to)]);
  const offset = apk.readUInt32LE(end + 16) + bytes.length - (to - from);
  moved.writeUInt32LE(offset, end + bytes.length - (to - from) + 16);
  return moved;
};
const listAt = (apk: Buffer): number => apk.readUInt32LE(apk.lastIndexOf(END) + 16);
const blockSize = (apk: Buffer): number => Number(apk.readBigUInt64LE(listAt(apk) - 24)) + 8;
const u64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
};
/** @returns the build with a signing block of these pairs. */
const withBlock = (apk: Buffer, ...pairs: readonly Buffer[]): Buffer => {
  const list = listAt(apk);
  const size = pairs.reduce((sum, pair) => sum + pair.length, 24);
  const block = Buffer.concat([u64(size), ...pairs, u64(size), Buffer.from("APK Sig Block 42")]);
  return inserted(apk, list - blockSize(apk), list, block);
};
/** @returns the pair of version 3 in the signing block. */
const pairOf = (apk: Buffer): Buffer => {
  const at = apk.indexOf(V3, listAt(apk) - blockSize(apk)) - 8;
  return Buffer.from(apk.subarray(at, at + 8 + Number(apk.readBigUInt64LE(at))));
};
/** @returns a file with one entry of this name. */
const zipOf = (name: string, packed: Buffer, method = 8, size = packed.length): Buffer => {
  const head = Buffer.alloc(30 + name.length);
  head.writeUInt32LE(0x04034b50);
  head.writeUInt16LE(name.length, 26);
  head.write(name, 30);
  const list = Buffer.alloc(46 + name.length);
  list.writeUInt32LE(0x02014b50);
  list.writeUInt16LE(method, 10);
  list.writeUInt32LE(size, 20);
  list.writeUInt16LE(name.length, 28);
  list.write(name, 46);
  const end = Buffer.alloc(22);
  END.copy(end);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(head.length + packed.length, 16);
  return Buffer.concat([head, packed, list, end]);
};

describe("a build", () => {
  test.each([
    ["v1.apk", "v1", ["k1"], []],
    ["v1-ec.apk", "v1", ["k4"], []],
    ["v1-two.apk", "v1", ["k1", "k2"], []],
    ["v2-two.apk", "v2", ["k1", "k2"], []],
    ["v123.apk", "v3", ["k1"], []],
    ["rotated.apk", "v3", ["k3"], ["k2", "k1"]],
    ["split.apks", "v1", ["k1"], []],
    ["upload.aab", "v1", ["k1"], []],
  ])(
    "%s has the package, the certificates and the hashes of keytool and Google's formula",
    async (name, scheme, now, older) => {
      const { build } = await read(await file(name));
      const keys = (list: readonly string[]) => list.map((key) => expected[key]);
      const [first, ...others] = keys(now);
      const kind = name.endsWith("aab") ? "aab" : "apk";
      expect(build).toEqual({ package: "com.example.app", kind, scheme, ...first, others, older: keys(older) });
    },
  );

  test("rotated in v3.1 has the newest certificate, and in v3 an older one", async () => {
    const rotated = await file("rotated.apk");
    const newer = pairOf(rotated);
    newer.writeUInt32LE(0x1b93ad61, 8);
    const { build } = await read(withBlock(rotated, pairOf(await file("v123.apk")), newer));
    expect(build).toMatchObject({ scheme: "v3.1", ...expected.k3, older: [expected.k2, expected.k1] });
  });

  test("with the records of ZIP64 is read alike", async () => {
    const apk = await file("v1.apk");
    const end = apk.lastIndexOf(END);
    const record = Buffer.alloc(56);
    record.writeUInt32LE(0x06064b50);
    record.writeBigUInt64LE(BigInt(apk.readUInt32LE(end + 12)), 40);
    record.writeBigUInt64LE(BigInt(apk.readUInt32LE(end + 16)), 48);
    const locator = Buffer.concat([Buffer.from("PK\x06\x07\0\0\0\0", "latin1"), u64(end), Buffer.from([1, 0, 0, 0])]);
    const last = Buffer.from(apk.subarray(end)).fill(0xff, 8, 20);
    const { build } = await read(Buffer.concat([apk.subarray(0, end), record, locator, last]));
    expect(build).toMatchObject({ package: "com.example.app", ...expected.k1 });
  });

  test("that is huge is read by position", async () => {
    const { build, count } = await read(Buffer.alloc(0), 2 ** 40);
    expect(build).toEqual({ error: expect.stringContaining("ZIP") });
    expect(count).toBeLessThan(70_000);
  });
});

describe("a hostile file gets one sentence", () => {
  const MANIFEST = "AndroidManifest.xml";
  test.each<readonly [string, Buffer, string]>([
    ["an empty file", Buffer.alloc(0), "is not an APK or AAB, or is truncated: it does not end as a ZIP file does"],
    [
      "a ZIP file of something else",
      zipOf("a.txt", Buffer.from("a"), 0),
      "is not an APK or AAB: it has no AndroidManifest.xml",
    ],
    ["a bomb", zipOf(MANIFEST, deflateRawSync(Buffer.alloc(50_000_000))), `has a manifest of more than 8192 KiB`],
    ["an entry that is larger than the file", zipOf(MANIFEST, Buffer.from("a"), 0, 99), "is cut off or damaged"],
    ["a huge entry", zipOf(MANIFEST, Buffer.from("a"), 0, 2 ** 31), `has a manifest of more than 8192 KiB`],
    ["what is not packed", zipOf(MANIFEST, Buffer.from("\xff\xff", "latin1")), `has a damaged ${MANIFEST}`],
    ["what is packed otherwise", zipOf(MANIFEST, Buffer.from("a"), 9), `has a damaged ${MANIFEST}`],
    [
      "a chunk without length",
      zipOf(MANIFEST, Buffer.from([3, 0, 8, 0, 0, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0]), 0),
      "has a manifest that names no package",
    ],
    [
      "a set within a set",
      zipOf("base.apk", zipOf("base.apk", Buffer.from("a"), 0), 0),
      "is not an APK or AAB: it has no AndroidManifest.xml",
    ],
  ])("%s", async (_, bytes, words) => {
    expect(await errorOf(bytes)).toBe(words);
  });

  test("without a signature, or with a damaged signing block", async () => {
    const apk = await file("v123.apk");
    const pair = pairOf(apk);
    const long = Buffer.from(pair);
    long.writeBigUInt64LE(2n ** 40n);
    const none = Buffer.concat([u64(0), Buffer.alloc(4)]);
    const many = Array.from({ length: 2_000 }, () => Buffer.concat([u64(4), Buffer.alloc(4)]));
    const damaged = "has a damaged signing block";
    for (const block of [[long], [none], many]) expect(await errorOf(withBlock(apk, ...block))).toBe(damaged);
    // Some ten thousand empty blocks, of which none is a signer.
    const empty = Buffer.concat([u64(262_144), V3, Buffer.alloc(262_140)]);
    empty.writeUInt32LE(262_136, 12);
    expect(await errorOf(withBlock(apk, empty))).toBe("is cut off or damaged");
    const unsigned = await errorOf(zipOf("META-INF/K.RSA", Buffer.from("a"), 0));
    expect(unsigned).toContain("no AndroidManifest.xml");
  });

  test("that is cut off or changed anywhere, in bounded memory", async () => {
    let seed = 1;
    const random = (most: number): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % most;
    };
    let refused = 0;
    for (const name of ["v1.apk", "rotated.apk", "v2-two.apk", "upload.aab", "split.apks"]) {
      const whole = await file(name);
      for (let n = 0; n < 300; n++) {
        const bytes = Buffer.from(n % 3 === 0 ? whole.subarray(0, random(whole.length)) : whole);
        for (let i = 0; i < n % 3; i++) bytes[random(bytes.length)] = [0, 0xff, 0x80, random(256)][random(4)] ?? 0;
        const { build, count } = await read(bytes);
        expect(count).toBeLessThan(3 * whole.length + 200_000);
        if ("error" in build) {
          refused++;
          expect(build.error).toMatch(/^(is|has|lists) [^\n]{5,120}$/);
        } else expect((build satisfies Build).hash).toMatch(/^[A-Za-z0-9+/]{11}$/);
      }
    }
    expect(refused).toBeGreaterThan(500);
  });
});
