/**
 * A start on a data folder that somebody has tampered with (CONTRACT 8): it never hangs, never prints a stack, ends with
 * status 3 for damaged data and 1 for what is in the way, names the file and the place, and changes nothing.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FREE_PORTS, run } from "#test/cli/support.ts";
import { startBuilt, temporaryDir } from "#test/hosts/built.ts";
import { type StartEnd, startAloneToEnd, startToEnd } from "./start-to-end.ts";

let whole = "";
let home: Awaited<ReturnType<typeof temporaryDir>>;
let dir = "";
const sockets: Server[] = [];
beforeAll(async () => {
  const first = await temporaryDir();
  const server = await startBuilt(["--data", first.dir]);
  await server.stop();
  whole = readFileSync(path.join(first.dir, "stagedoor.json"), "utf8");
  await first.remove();
});
beforeEach(async () => {
  home = await temporaryDir();
  dir = path.join(home.dir, "data");
  mkdirSync(dir, { mode: 0o700 });
});
afterEach(async () => {
  await Promise.all(sockets.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
  await home.remove();
});

const at = (name: string): string => path.join(dir, name);
const isRoot = process.getuid?.() === 0;

/** What must hold for every refusal. */
const refused = (end: StartEnd, status: 1 | 3, ...words: string[]): void => {
  expect(end).toMatchObject({ how: "ended", status });
  expect(end.said).not.toMatch(/^\s+at /m);
  expect(end.said).not.toContain("node:internal");
  for (const word of words) expect(end.said).toContain(word);
};

/** What may lie where a file should. */
const STRANGE: [string, (file: string) => unknown][] = [
  ["a FIFO", (file) => execFileSync("mkfifo", [file])],
  ["a socket", (file) => new Promise((resolve) => sockets.push(createServer().listen(file, () => resolve(undefined))))],
  ["a link to /dev/zero", (file) => symlinkSync("/dev/zero", file)],
  ["a link to a terminal", (file) => symlinkSync("/dev/tty", file)],
  ["a link to itself", (file) => symlinkSync(path.basename(file), file)],
  ["a folder", (file) => mkdirSync(file)],
];
if (isRoot) STRANGE.push(["a device", (file) => execFileSync("mknod", [file, "c", "1", "5"])]);

describe.skipIf(process.platform === "win32")("something else lies where a file should", () => {
  describe.each(STRANGE)("%s", (_, make) => {
    test("as stagedoor.json: status 3, and it is left alone", async () => {
      await make(at("stagedoor.json"));
      const before = lstatSync(at("stagedoor.json")).ino;
      refused(await startToEnd(dir), 3, at("stagedoor.json"));
      expect(lstatSync(at("stagedoor.json")).ino).toBe(before);
    });

    test("as a journal: status 3", async () => {
      writeFileSync(at("stagedoor.json"), whole);
      await make(at("journal-9.ndjson"));
      refused(await startToEnd(dir), 3, at("journal-9.ndjson"));
    });

    test("as the lock: status 1", async () => {
      await make(at("lock.json"));
      refused(await startToEnd(dir), 1, at("lock.json"));
      expect(() => lstatSync(at("stagedoor.json"))).toThrow("ENOENT");
    });

    test("as the lock, doctor says so too", async () => {
      await make(at("lock.json"));
      const ended = await run(["doctor", ...FREE_PORTS, "--data", dir]);
      expect(ended).toMatchObject({ status: 1, err: "" });
      expect(ended.out).toMatch(/^bad .*lock\.json cannot be read/m);
    });

    test("as what a starter or a snapshot leaves: the start goes on", async () => {
      await make(at(`lock-heir-${"0".repeat(24)}.tmp`));
      await make(at(`lock-1-${"0".repeat(24)}.tmp`));
      await make(at(`stagedoor.json.${"0".repeat(24)}.tmp`));
      expect(await startToEnd(dir)).toMatchObject({ how: "ready", status: 0 });
    });

    test("as snapshots: the start does not hang", async () => {
      await make(at("snapshots"));
      const end = await startToEnd(dir);
      if (end.how === "ready") expect(end.status).toBe(0);
      else refused(end, 3, at("snapshots"));
    });
  });

  test("a lock that links into nothing: status 1, at once", async () => {
    symlinkSync("nowhere", at("lock.json"));
    refused(await startToEnd(dir), 1, at("lock.json"));
  });

  test.each([["stagedoor.json"], ["journal-9.ndjson"]])("%s of 3 GiB: status 3, and it is not read", async (name) => {
    if (name !== "stagedoor.json") writeFileSync(at("stagedoor.json"), whole);
    writeFileSync(at(name), "");
    truncateSync(at(name), 3 * 2 ** 30);
    refused(await startToEnd(dir), 3, at(name), "3 GiB");
  });

  test("a lock of 3 GiB: taken over, as any without a holder", async () => {
    writeFileSync(at("lock.json"), "");
    truncateSync(at("lock.json"), 3 * 2 ** 30);
    expect(await startToEnd(dir)).toMatchObject({ how: "ready", status: 0 });
  });
});

describe("the folder itself", () => {
  test.each(["/proc/x", "/proc/self/x/y", "/dev/null", "/dev/null/x"])(
    "--data %s: status 1, at once",
    async (where) => {
      if (process.platform !== "linux") return;
      refused(await startToEnd(where), 1, where);
    },
  );

  test("a file in its place, or above it: status 1", async () => {
    const file = path.join(home.dir, "file");
    writeFileSync(file, "");
    refused(await startToEnd(file), 1, file);
    refused(await startToEnd(path.join(file, "below")), 1, path.join(file, "below"));
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("a link to itself: status 1", async () => {
    const link = path.join(home.dir, "link");
    symlinkSync("link", link);
    refused(await startToEnd(link), 1, link);
  });

  const asNobody = isRoot && process.platform === "linux" ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];

  test.skipIf(asNobody.length === 0)("another one's, whole or in part: status 1, and what to do", async () => {
    execFileSync("chmod", ["755", home.dir]);
    refused(await startAloneToEnd(dir, asNobody), 1, dir, "--data");
    execFileSync("chmod", ["777", dir]);
    writeFileSync(at("stagedoor.json"), whole, { mode: 0o600 });
    refused(await startAloneToEnd(dir, asNobody), 1, at("stagedoor.json"), "permission");
  });
});

/** The document with a change, made in its text, so that nothing else about it changes. */
const edited = (from: string | RegExp, to: string): string => {
  const text = whole.replace(from, () => to);
  expect(text).not.toBe(whole);
  return text;
};
const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

describe("a document edited by hand", () => {
  test.each([
    ["empty", "{}"],
    ["of another kind", '{"kty":"oct","k":"c2VjcmV0","kid":"a"}'],
    ["with half of it gone", '{"kty":"EC","crv":"P-256","x":"","y":"","d":"","kid":"a"}'],
    ["not on the curve", '{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","d":"AAAA","kid":"a"}'],
    ["of text", '{"kty":"EC","crv":"P-256","x":"***","y":"!!!","d":" ","kid":"a"}'],
  ])("a signing key that is none (%s): status 3, and the place", async (_, key) => {
    const text = edited(/"key":\{[^}]*\}/, `"key":${key}`);
    writeFileSync(at("stagedoor.json"), text);
    const end = await startToEnd(dir);
    refused(end, 3, at("stagedoor.json"), `byte ${text.indexOf('"key":') + 6}`, "key");
    expect(end.said).not.toContain("c2VjcmV0");
    expect(readFileSync(at("stagedoor.json"), "utf8")).toBe(text);
  });

  test("a signing key of which the halves are not one pair", async () => {
    const other = '"d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"';
    const text = edited(/"d":"[^"]*"/, other);
    writeFileSync(at("stagedoor.json"), text);
    refused(await startToEnd(dir), 3, at("stagedoor.json"), `byte ${text.indexOf('"key":') + 6}`, "key");
  });

  test.each([
    ["metadata", /"metadata":null/, (value: string) => `"metadata":${value}`],
    ["an unknown field of a record", /"metadata":/, (value: string) => `"extra":${value},"metadata":`],
    ["the settings of an app", /"settings":\{[^}]*\}/, (value: string) => `"settings":{"message":${value}}`],
    ["the key", /"key":\{/, (value: string) => `"key":{"extra":${value},`],
  ])("%s 100,000 deep: status 3, and the place", async (_, from, to) => {
    for (const value of [deep('{"a":', "}", 100_000).replace("{}", "{1}"), deep("[", "]", 100_000)]) {
      const text = edited(from, to(value.replace(":}", ":1}")));
      writeFileSync(at("stagedoor.json"), text);
      refused(await startToEnd(dir), 3, at("stagedoor.json"), "byte ", "levels deep");
      expect(readFileSync(at("stagedoor.json"), "utf8")).toBe(text);
    }
  });

  test.each([
    ["in metadata", /"metadata":null/, '"metadata":{"deeper":[{"__proto__":{"admin":true}}]}'],
    ["in metadata, spelled otherwise", /"metadata":null/, '"metadata":{"_\\u005fproto__":{"admin":true}}'],
    ["in a record", /"metadata":/, '"__proto__":{"a":1},"metadata":'],
    ["in an app", /"strategy":/, '"__proto__":{"a":1},"strategy":'],
    ["at the top", /"fixtures":/, '"__proto__":{"a":1},"fixtures":'],
  ])("__proto__ as a key %s: status 3, and the place", async (_, from, to) => {
    writeFileSync(at("stagedoor.json"), edited(from, to));
    refused(await startToEnd(dir), 3, at("stagedoor.json"), "byte ", "__proto__");
  });
});
