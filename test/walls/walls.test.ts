import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { checkTree } from "./tree.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const trees: string[] = [];

/** @param files path → text. @returns the violations in these files: `path:line [wall] message`. */
const breachesIn = async (files: Record<string, string>): Promise<string[]> => {
  const top = await mkdtemp(join(tmpdir(), "stagedoor-walls-"));
  trees.push(top);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(top, path)), { recursive: true });
    await writeFile(join(top, path), text);
  }
  return (await checkTree(top)).map(({ path, line, wall, message }) => `${path}:${line} [${wall}] ${message}`);
};

afterEach(async () => {
  for (const top of trees.splice(0)) await rm(top, { recursive: true });
});

test("this checkout has no violations", async () => {
  expect(await checkTree(CHECKOUT)).toEqual([]);
});

describe("each room imports only what its row of the table allows", () => {
  test.each([
    ["src-server/contract/a.ts", "#domain/world.ts", "room contract may not import room domain"],
    ["src-server/contract/a.ts", "node:crypto", "room contract may not import Node's own node:crypto"],
    ["src-server/contract/a.ts", "jose", "room contract may not import package jose"],
    ["src-server/domain/a.ts", "zod", "room domain may not import package zod"],
    ["src-server/domain/a.ts", "node:fs", "room domain may not import Node's own node:fs"],
    ["src-server/domain/a.ts", "#store/store.ts", "room domain may not import room store"],
    ["src-server/people/a.ts", "node:fs", "room people may not import Node's own node:fs"],
    ["src-server/tokens/a.ts", "#domain/world.ts", "room tokens may not import room domain"],
    ["src-server/tokens/a.ts", "node:fs", "room tokens may not import Node's own node:fs"],
    ["src-server/certificates/a.ts", "#domain/world.ts", "room certificates may not import room domain"],
    ["src-server/certificates/a.ts", "#store/store.ts", "room certificates may not import room store"],
    ["src-server/http/a.ts", "#tokens/jwt.ts", "room http may not import room tokens"],
    ["src-server/store/a.ts", "steno", "room store may not import package steno"],
    ["src-server/store/a.ts", "#http/app.ts", "room store may not import room http"],
    ["src-server/http/a.ts", "#store/store.ts", "room http may not import room store"],
    ["src-server/http/handlers/a.ts", "#tokens/jwt.ts", "room http may not import room tokens"],
    ["src-server/http/a.ts", "zod", "room http may not import package zod"],
    ["src-server/http/a.ts", "#server/config.ts", "room http may not import room config"],
    ["src-server/store/a.ts", "#server/server.ts", "room store may not import room server"],
    ["src-server/commands/a.ts", "#store/store.ts", "room commands may not import room store"],
    ["src-server/plumbing/a.ts", "#server/server.ts", "room plumbing may not import room server"],
    ["src-programs/mcp/a.ts", "#server/server.ts", "room programs/mcp may not import room server"],
    ["src-programs/mcp/a.ts", "#server/config.ts", "room programs/mcp may not import room config"],
    ["src-programs/mcp/a.ts", "#server/commands/tail.ts", "room programs/mcp may not import room commands"],
    ["src-programs/mcp/a.ts", "#programs/stage/address.ts", "room programs/mcp may not import room programs/stage"],
    ["src-programs/mcp/a.ts", "#http/app.ts", "room programs/mcp may not import room http"],
    ["src-server/server.ts", "uuid", "room server may not import package uuid"],
    ["src-server/server.ts", "electron", "room server may not import package electron"],
    ["src-renderer/a.tsx", "#domain/world.ts", "room renderer may not import room domain"],
    ["src-renderer/a.tsx", "node:path", "room renderer may not import Node's own node:path"],
    ["src-renderer/a.tsx", "electron", "room renderer may not import package electron"],
    ["src-client/a.ts", "#contract/control/routes.ts", "room client may not import room contract"],
    ["src-client/a.ts", "node:fs", "room client may not import Node's own node:fs"],
    ["src-client/a.ts", "zod", "room client may not import package zod"],
    ["src-main/a.ts", "#server/server.ts", "room main may not import room server"],
    ["src-main/a.ts", "#contract/control/routes.ts", "room main may not import room contract"],
    ["src-main/a.ts", "express", "room main may not import package express"],
    ["src-server/http/a.ts", "../store/store.ts", "leaves its folder by a path: use the door"],
    ["src-main/a.ts", "../dist/server/cli.js", "imports dist/server/cli.js, which is in no room"],
  ])("%s: %s", async (path, specifier, message) => {
    const breach = `${path}:2 [imports] ${message}`;
    expect(await breachesIn({ [path]: `\nimport "${specifier}";\n` })).toEqual([breach]);
    expect(await breachesIn({ [path]: `\nimport type { X } from "${specifier}";\n` })).toEqual([breach]);
    expect(await breachesIn({ [path]: `\nconst x = await import("${specifier}");\n` })).toEqual([breach]);
    expect(await breachesIn({ [path]: `\nlet x: import("${specifier}").X;\n` })).toEqual([breach]);
    expect(await breachesIn({ [path]: `\nexport type { X } from "${specifier}";\n` })).toEqual([breach]);
  });

  test("allowed imports pass", async () => {
    expect(
      await breachesIn({
        "src-server/contract/a.ts": 'import { z } from "zod"; import "./b.ts";',
        "src-server/http/handlers/a.ts":
          'import "../bind.ts"; import "#contract/a.ts"; import "express"; import "node:http";',
        "src-server/cli.ts":
          'import "commander"; import "#programs/doctor/commands.ts"; import "./server.ts"; console.log(1);',
        "src-server/config.ts": "export const port = process.env.PORT;",
        "src-main/index.ts":
          'import { app } from "electron"; import { parseReadyLine } from "#contract/control/ready.ts";',
        "src-renderer/a.tsx": 'import "@mantine/core/styles.css"; import "./a.css"; import logo from "./logo.svg?raw";',
      }),
    ).toEqual([]);
  });

  test("computed imports and files outside every room are reported", async () => {
    expect(await breachesIn({ "src-server/store/a.ts": "await import(name);" })).toEqual([
      "src-server/store/a.ts:1 [imports] imports something computed, which nobody can check",
    ]);
    expect(await breachesIn({ "src-server/extra/a.ts": "" })).toEqual([
      "src-server/extra/a.ts:1 [imports] is in no room of the table",
    ]);
  });
});

test.each([
  ["src-server/domain/a.ts", "const t = Date.now();", "[pure-rooms] Date.now"],
  ["src-server/domain/a.ts", "const t = new Date();", "[pure-rooms] new Date()"],
  ["src-server/domain/a.ts", "const t = Date();", "[pure-rooms] Date()"],
  ["src-server/domain/a.ts", "const t = Math.random();", "[pure-rooms] Math.random"],
  ["src-server/domain/a.ts", "const t = globalThis.crypto.randomUUID();", "[pure-rooms] crypto.randomUUID"],
  ["src-server/store/a.ts", "const p = process.env.PORT;", "[environment] process.env"],
  ["src-main/a.ts", 'const p = process["env"].PORT;', "[environment] process.env"],
  ["src-server/http/a.ts", "console.error(1);", "[console] console.error"],
  ["src-renderer/places/codes/a.ts", "new EventSource(u);", "[network] new EventSource"],
  ["src-renderer/places/codes/a.ts", "await window.fetch(u);", "[network] fetch"],
  ["src-server/certificates/a.ts", 'spawn("adb", []);', "[programs] spawn()"],
  ["src-server/http/a.ts", 'execSync("adb devices");', "[programs] execSync()"],
  ["src-server/domain/a.ts", 'const c = strategy === "phone" ? "sms" : "email";', '[strategies] compares with "phone"'],
  ["src-client/a.ts", 'if ("email" != app.strategy) call();', '[strategies] compares with "email"'],
  ["src-renderer/a.tsx", 'switch (c) { case "sms": call(); }', '[strategies] compares with "sms"'],
  ["src-server/http/a.ts", "const u = user[read.app.strategy];", "[strategies] read.app.strategy is no field"],
  ["src-demo/a.ts", "const { [strategy]: u } = user;", "[strategies] strategy is no field"],
  ["src-client/a.ts", "const s = AbortSignal.any([a, b]);", "[time-limits] AbortSignal.any"],
  ["src-server/http/a.ts", "fetch(u, { signal: AbortSignal.timeout(5) });", "[time-limits] AbortSignal.timeout"],
  ["src-main/a.ts", "new BrowserWindow({});", "[one-window-factory] new BrowserWindow"],
  ["src-server/store/a.ts", "export default 1;", "[default-exports] a default export"],
  ["src-server/store/a.ts", 'export * from "./b.ts";', "[barrels] exports ./b.ts on"],
  ["src-server/store/a.ts", 'export { b } from "./b.ts";', "[barrels] exports ./b.ts on"],
  ["src-server/http/a.ts", "const NONE = {};", "[constants] NONE is shared by all requests"],
  ["src-server/store/a.ts", 'const NAMES = new Set(["a"]);', "[constants] NAMES is shared"],
  [
    "src-server/contract/a.ts",
    "const ALL = Object.keys(table).filter(Boolean), B = Object.keys(table);",
    "[constants] ALL is",
  ],
  ["src-server/contract/a.ts", "const LISTS = [1].map(twice);", "[constants] LISTS is shared"],
  ["src-server/contract/a.ts", "const T: Record<string, number> = {};", "[constants] T is shared"],
  ["src-server/contract/a.ts", "const T: string[] = [];", "[constants] T is shared"],
  ["test/store/a.test.ts", 'vi.mock("#store/disk/lock.ts");', "[mocks] replaces #store/disk/lock.ts"],
  ["test/store/a.test.ts", 'vi.mock("electron");', "[mocks] replaces electron"],
  ["test/main/a.test.ts", 'vi.mock("node:fs");', "[mocks] replaces node:fs"],
  ["test/main/a.test.ts", "vi.doMock(import('electron'));", "[mocks] replaces ?"],
])("%s: %s", async (path, text, breach) => {
  const found = await breachesIn({ [path]: `\n${text}\n` });
  expect(found[0]).toContain(`${path}:2 ${breach}`);
});

test("constants that nobody can write into pass", async () => {
  const text = [
    "export const LIST = [1] as const;",
    "const TABLE: Readonly<Record<string, readonly number[]>> = { a: [1] } satisfies Table;",
    "const NAMES: ReadonlyMap<string, number> = new Map([]);",
    "const NOTHING = {} as const;",
    "const known = new WeakMap<object, string>();",
    "const one = (): string[] => [];",
    "const shape = z.object({});",
  ].join("\n");
  expect(await breachesIn({ "src-server/http/a.ts": text, "src-server/commands/a.ts": "const A = [];" })).toEqual([]);
});

test("dates from a given instant, time zones and parsing are pure", async () => {
  const text = "export const at = new Date(0).toISOString() + Date.parse('2026-01-01') + Math.floor(1.5);";
  expect(await breachesIn({ "src-server/domain/a.ts": text })).toEqual([]);
});

test("a cycle is reported as its path, with types or without", async () => {
  const files = {
    "src-server/store/a.ts": 'import "./b.ts";',
    "src-server/store/b.ts": 'import type { A } from "#store/c.ts";',
    "src-server/store/c.ts": 'import "./a.ts";',
  };
  const round = "src-server/store/a.ts → src-server/store/b.ts → src-server/store/c.ts → src-server/store/a.ts";
  expect(await breachesIn(files)).toEqual([`src-server/store/a.ts:1 [cycles] imports itself: ${round}`]);
});

test("an exported name has one place in a program, but a schema and the function for its value share theirs", async () => {
  const files = {
    "src-server/contract/a.ts": "export const item = 1;",
    "src-server/domain/a.ts": "export const item = 1;\nexport type Row = 1;",
    "src-server/http/a.ts": "\nexport interface Row {}\nexport const item = 1;",
    "src-renderer/a.ts": "export type Row = 1;",
  };
  expect(await breachesIn(files)).toEqual([
    "src-server/http/a.ts:2 [namesakes] Row is exported by src-server/domain/a.ts as well",
    "src-server/http/a.ts:3 [namesakes] item is exported by src-server/contract/a.ts as well",
  ]);
});

test.each([
  ["src-server/store/index/a.ts", "../recovery/recovery.ts", "index may not import recovery"],
  ["src-server/store/document/a.ts", "../index/indexes.ts", "document may not import index"],
  ["src-server/store/disk/a.ts", "../store.ts", "disk may not import store"],
  ["src-server/store/recovery/a.ts", "#store/snapshots/named-snapshots.ts", "recovery may not import store"],
  ["src-server/http/traffic/a.ts", "../events/sse.ts", "traffic may not import events"],
  ["src-server/http/traffic/a.ts", "../answer.ts", "traffic may not import apps"],
  ["src-server/http/a.ts", "./handlers/console.ts", "apps may not import handlers"],
  ["src-server/http/events/a.ts", "../handlers/console.ts", "events may not import handlers"],
  ["src-server/domain/a.ts", "./import/state-import.ts", "rules may not import import"],
  ["src-server/domain/history/a.ts", "../import/state-import.ts", "history may not import import"],
  ["src-server/fixtures/a.ts", "../boot/open-data.ts", "fixtures may not import boot"],
  ["src-server/boot/a.ts", "../server.ts", "boot may not import composition"],
])("within a room no import goes upwards: %s, %s", async (path, specifier, message) => {
  const breach = `${path}:1 [storeys] ${message}: no arrow runs back up`;
  expect(await breachesIn({ [path]: `import type { X } from "${specifier}";` })).toEqual([breach]);
});

test("only the lists name a feature, and a feature those that the table says", async () => {
  const files = {
    "src-server/features/manifests.ts": 'import "./failures/coverage/manifest.ts";',
    "src-server/features/failures/coverage/manifest.ts": "",
    "src-server/features/failures/coverage/server.ts": 'import "#features/history/rewind/server.ts";',
    "src-server/features/failures/faults/server.ts": 'import "../coverage/manifest.ts";',
    "src-server/features/history/rewind/server.ts": 'import "../../failures/faults/server.ts";',
    "src-server/http/a.ts": '\nimport "#features/history/rewind/server.ts";',
    "test/features/failures/faults/a.test.ts": 'import "#features/history/rewind/server.ts";',
    "test/http/a.test.ts": 'import "#test/features/failures/faults/support.ts";',
    "test/programs/stage/a.test.ts": 'import "#features/history/rewind/server.ts";',
  };
  const found = (await breachesIn(files)).filter((breach) => breach.includes("[features]"));
  expect(found).toEqual([
    "src-server/features/failures/coverage/server.ts:1 [features] failures may not use history: MAY_USE does not say so",
    "src-server/http/a.ts:2 [features] the kernel names the feature history",
    "test/features/failures/faults/a.test.ts:1 [features] failures may not use history: MAY_USE does not say so",
    "test/http/a.test.ts:1 [features] the kernel names the feature failures",
  ]);
});

test("no place imports another, and no part of the console one above it", async () => {
  const files = {
    "src-renderer/places/codes/a.ts": 'import "../users/b.ts"; import "../../shared/login/c.ts";',
    "src-renderer/places/users/b.ts": "",
    "src-renderer/shared/login/c.ts": 'import "../../places/users/b.ts";',
  };
  expect(await breachesIn(files)).toEqual([
    "src-renderer/shared/login/c.ts:1 [storeys] shared may not import places: no arrow runs back up",
    "src-renderer/places/codes/a.ts:1 [places] codes may not import users: put it into shared",
  ]);
});

test("at most three files of a program have a function of one name", async () => {
  const files = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, n) => [
        `src-server/http/${"abcdef"[n]}.ts`,
        n % 2 === 0 ? "\nconst textOf = () => 1;" : "function textOf() {}",
      ]),
    );
  expect(await breachesIn(files(3))).toEqual([]);
  expect(await breachesIn({ ...files(3), "src-renderer/ui/a.ts": "const textOf = () => 1;" })).toEqual([]);
  expect(await breachesIn(files(4))).toEqual([
    "src-server/http/a.ts:2 [alike] textOf is a function of 4 files: say what it does",
  ]);
});

test("a file of the kernel that one feature alone reads belongs to it", async () => {
  const files = {
    "src-server/features/failures/coverage/server.ts":
      'import "#http/shared.ts"; import "#http/own.ts"; import "#domain/both.ts";',
    "src-server/features/keys/server.ts": 'import "#domain/both.ts";',
    "src-server/http/shared.ts": "",
    "src-server/http/own.ts": "",
    "src-server/http/app.ts": 'import "./shared.ts";',
    "src-server/domain/both.ts": "",
  };
  const found = (await breachesIn(files)).filter((breach) => breach.includes("[leftovers]"));
  expect(found).toEqual(["src-server/http/own.ts:1 [leftovers] only the feature failures reads it: it belongs there"]);
});

test("the desktop shell must stay under 1200 lines", async () => {
  expect(await breachesIn({ "src-main/a.ts": "\n".repeat(600), "src-main/b.ts": "\n".repeat(599) })).toEqual([]);
  expect(await breachesIn({ "src-main/a.ts": "\n".repeat(600), "src-main/b.ts": "\n".repeat(600) })).toEqual([
    "src-main:1 [shell-size] has 1200 lines; the shell stays under 1200",
  ]);
});
