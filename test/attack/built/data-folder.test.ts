/**
 * A start on a tampered data directory: it never hangs or prints a stack trace, exits with status 3 for
 * damaged data and 1 for other obstacles, names file and position, and changes nothing.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FREE_PORTS, run } from "#test/cli/support.ts";
import { startBuilt, temporaryDir } from "#test/hosts/built.ts";
import { type StartEnd, startAloneToEnd, startToEnd } from "../start-to-end.ts";

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

/** What can be in the place of a file. */
const STRANGE: [string, (file: string) => unknown][] = [
  ["a FIFO", (file) => execFileSync("mkfifo", [file])],
  ["a socket", (file) => new Promise((resolve) => sockets.push(createServer().listen(file, () => resolve(undefined))))],
  ["a link to /dev/zero", (file) => symlinkSync("/dev/zero", file)],
  ["a link to a terminal", (file) => symlinkSync("/dev/tty", file)],
  ["a link to itself", (file) => symlinkSync(path.basename(file), file)],
  ["a directory", (file) => mkdirSync(file)],
];
if (isRoot) STRANGE.push(["a device", (file) => execFileSync("mknod", [file, "c", "1", "5"])]);

describe("a wrong kind of file", () => {
  beforeEach(({ skip }) => skip(process.platform === "win32", "Windows has no such files"));
  describe.each(STRANGE)("%s", (_, make) => {
    test("in place of stagedoor.json: exits with 3 and leaves it alone", async () => {
      await make(at("stagedoor.json"));
      const before = lstatSync(at("stagedoor.json")).ino;
      refused(await startToEnd(dir), 3, at("stagedoor.json"));
      expect(lstatSync(at("stagedoor.json")).ino).toBe(before);
    });

    test("in place of a journal: exits with 3", async () => {
      writeFileSync(at("stagedoor.json"), whole);
      await make(at("journal-9.ndjson"));
      refused(await startToEnd(dir), 3, at("journal-9.ndjson"));
    });

    test("in place of the lock: exits with 1", async () => {
      await make(at("lock.json"));
      refused(await startToEnd(dir), 1, at("lock.json"));
      expect(() => lstatSync(at("stagedoor.json"))).toThrow("ENOENT");
    });

    test("in place of the lock: doctor reports it too", async () => {
      await make(at("lock.json"));
      const ended = await run(["doctor", ...FREE_PORTS, "--data", dir]);
      expect(ended).toMatchObject({ status: 1, err: "" });
      expect(ended.out).toMatch(/^bad .*lock\.json cannot be read/m);
    });

    test("in place of leftover files: starts normally", async () => {
      await make(at(`lock-heir-${"0".repeat(24)}.tmp`));
      await make(at(`lock-1-${"0".repeat(24)}.tmp`));
      await make(at(`stagedoor.json.${"0".repeat(24)}.tmp`));
      expect(await startToEnd(dir)).toMatchObject({ how: "ready", status: 0 });
    });

    test("in place of the snapshots: does not hang", async () => {
      await make(at("snapshots"));
      const end = await startToEnd(dir);
      if (end.how === "ready") expect(end.status).toBe(0);
      else refused(end, 3, at("snapshots"));
    });
  });

  test("a dangling link in place of the lock exits with 1 at once", async () => {
    symlinkSync("nowhere", at("lock.json"));
    refused(await startToEnd(dir), 1, at("lock.json"));
  });

  test.each([["stagedoor.json"], ["journal-9.ndjson"]])("%s of 3 GiB exits with 3 without being read", async (name) => {
    if (name !== "stagedoor.json") writeFileSync(at("stagedoor.json"), whole);
    writeFileSync(at(name), "");
    truncateSync(at(name), 3 * 2 ** 30);
    refused(await startToEnd(dir), 3, at(name), "3 GiB");
  });

  test("a lock of 3 GiB is taken over like any stale lock", async () => {
    writeFileSync(at("lock.json"), "");
    truncateSync(at("lock.json"), 3 * 2 ** 30);
    expect(await startToEnd(dir)).toMatchObject({ how: "ready", status: 0 });
  });
});

describe("the data directory", () => {
  test.for(["/proc/x", "/proc/self/x/y", "/dev/null", "/dev/null/x"])(
    "exits with 1 at once for --data %s",
    async (where, { skip }) => {
      skip(process.platform !== "linux", "only Linux has these paths");
      refused(await startToEnd(where), 1, where);
    },
  );

  test("exits with 1 if a file is in its place, or above it", async () => {
    const file = path.join(home.dir, "file");
    writeFileSync(file, "");
    refused(await startToEnd(file), 1, file);
    refused(await startToEnd(path.join(file, "below")), 1, path.join(file, "below"));
    expect(readFileSync(file, "utf8")).toBe("");
  });

  test("exits with 1 if it is a link to itself", async () => {
    const link = path.join(home.dir, "link");
    symlinkSync("link", link);
    refused(await startToEnd(link), 1, link);
  });

  const asNobody = isRoot && process.platform === "linux" ? ["setpriv", "--reuid=65534", "--clear-groups"] : [];

  test("exits with 1 and a remedy if another user owns it or part of it", async ({ skip }) => {
    skip(asNobody.length === 0, "only root can change its user, and only on Linux");
    execFileSync("chmod", ["755", home.dir]);
    refused(await startAloneToEnd(dir, asNobody), 1, dir, "--data");
    execFileSync("chmod", ["777", dir]);
    writeFileSync(at("stagedoor.json"), whole, { mode: 0o600 });
    refused(await startAloneToEnd(dir, asNobody), 1, at("stagedoor.json"), "permission");
  });
});

/** The document after a text replacement, so that nothing else changes. */
const edited = (from: string | RegExp, to: string): string => {
  const text = whole.replace(from, () => to);
  expect(text).not.toBe(whole);
  return text;
};
const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);

describe("a hand-edited document", () => {
  test.each([
    ["empty", "{}"],
    ["of another type", '{"kty":"oct","k":"c2VjcmV0","kid":"a"}'],
    ["with empty halves", '{"kty":"EC","crv":"P-256","x":"","y":"","d":"","kid":"a"}'],
    ["not on the curve", '{"kty":"EC","crv":"P-256","x":"AAAA","y":"AAAA","d":"AAAA","kid":"a"}'],
    ["with invalid characters", '{"kty":"EC","crv":"P-256","x":"***","y":"!!!","d":" ","kid":"a"}'],
  ])("with an invalid signing key (%s) exits with 3 and names the position", async (_, key) => {
    const text = edited(/"key":\{[^}]*\}/, `"key":${key}`);
    writeFileSync(at("stagedoor.json"), text);
    const end = await startToEnd(dir);
    refused(end, 3, at("stagedoor.json"), `byte ${text.indexOf('"key":') + 6}`, "key");
    expect(end.said).not.toContain("c2VjcmV0");
    expect(readFileSync(at("stagedoor.json"), "utf8")).toBe(text);
  });

  test("with mismatched halves of the signing key exits with 3 and names the position", async () => {
    const other = '"d":"870MB6gfuTJ4HtUnUvYMyJpr5eUZNP4Bk43bVdj3eAE"';
    const text = edited(/"d":"[^"]*"/, other);
    writeFileSync(at("stagedoor.json"), text);
    refused(await startToEnd(dir), 3, at("stagedoor.json"), `byte ${text.indexOf('"key":') + 6}`, "key");
  });

  test.each([
    ["metadata", /"metadata":null/, (value: string) => `"metadata":${value}`],
    ["an unknown field of a record", /"metadata":/, (value: string) => `"extra":${value},"metadata":`],
    ["an app's settings", /"settings":\{[^}]*\}/, (value: string) => `"settings":{"message":${value}}`],
    ["the key", /"key":\{/, (value: string) => `"key":{"extra":${value},`],
  ])("with %s nested 100,000 deep exits with 3 and names the position", async (_, from, to) => {
    for (const value of [deep('{"a":', "}", 100_000).replace("{}", "{1}"), deep("[", "]", 100_000)]) {
      const text = edited(from, to(value.replace(":}", ":1}")));
      writeFileSync(at("stagedoor.json"), text);
      refused(await startToEnd(dir), 3, at("stagedoor.json"), "byte ", "levels deep");
      expect(readFileSync(at("stagedoor.json"), "utf8")).toBe(text);
    }
  });

  test.each([
    ["in metadata", /"metadata":null/, '"metadata":{"deeper":[{"__proto__":{"admin":true}}]}'],
    ["in metadata, with an escape", /"metadata":null/, '"metadata":{"_\\u005fproto__":{"admin":true}}'],
    ["in a record", /"metadata":/, '"__proto__":{"a":1},"metadata":'],
    ["in an app", /"strategy":/, '"__proto__":{"a":1},"strategy":'],
    ["at the top level", /"fixtures":/, '"__proto__":{"a":1},"fixtures":'],
  ])("with __proto__ as a key %s exits with 3 and names the position", async (_, from, to) => {
    writeFileSync(at("stagedoor.json"), edited(from, to));
    refused(await startToEnd(dir), 3, at("stagedoor.json"), "byte ", "__proto__");
  });
});
