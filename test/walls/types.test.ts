import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** Room → a line that needs something the room does not have, and the compiler's error. */
const SEEDS: readonly (readonly [room: string, line: string, message: string])[] = [
  ["src-server/contract", "export const x = process.pid;", "Cannot find name 'process'"],
  ["src-server/contract", 'export const x = document.querySelector("a");', "Cannot find name 'document'"],
  ["src-server/domain", 'export const x = Buffer.from("a");', "Cannot find name 'Buffer'"],
  ["src-server/domain", "export const x = () => setTimeout(() => {}, 1);", "Cannot find name 'setTimeout'"],
  ["src-server/http", "export const x = document.title;", "Cannot find name 'document'"],
  ["src-renderer", "export const x = process.pid;", "Cannot find name 'process'"],
  ["src-server/domain", "export const x = (list: string[]): string => list[0];", "undefined' is not assignable"],
  ["src-server/store", "export enum Kind { A }", "erasableSyntaxOnly"],
  ["src-server/store", "export const x: { a?: string } = { a: undefined };", "exactOptionalPropertyTypes"],
];

const CONFIGS = [
  "tools/config/tsconfig.base.json",
  "src-server/tsconfig.json",
  "src-server/tsconfig.pure.json",
  "src-server/contract/tsconfig.json",
  "src-renderer/tsconfig.json",
];

/** The program of `tools/typecheck.mjs` that takes in a room. */
const programOf = (room: string): string => {
  if (/contract|domain/.test(room)) return "src-server/tsconfig.pure.json";
  return room.replace(/\/.*/, "");
};

describe("the compiler enforces the rules that globals would bypass", () => {
  let top = "";
  const output = new Map<string, string>();

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "stagedoor-types-"));
    for (const path of [...CONFIGS, ...SEEDS.map(([room]) => `${room}/x`)])
      await mkdir(dirname(join(top, path)), { recursive: true });
    for (const path of CONFIGS) await copyFile(join(CHECKOUT, path), join(top, path));
    await symlink(join(CHECKOUT, "node_modules"), join(top, "node_modules"), "junction");
    for (const [index, [room, line]] of SEEDS.entries()) await writeFile(join(top, room, `seed-${index}.ts`), line);
    for (const program of new Set(SEEDS.map(([room]) => programOf(room)))) {
      const tsc = join(CHECKOUT, "node_modules/typescript/bin/tsc");
      // The compiler exits with 2 when it finds something, as it must here.
      const args = [tsc, "-p", program, "--pretty", "false"];
      const { stdout } = await run(process.execPath, args, { cwd: top }).catch((error: { stdout: string }) => error);
      output.set(program, stdout);
    }
  });

  afterAll(async () => {
    await rm(top, { recursive: true, force: true });
  });

  test.each(SEEDS.map((seed, index) => [...seed, index] as const))("%s: %s", (room, _line, message, index) => {
    const own = (output.get(programOf(room)) ?? "").split("\n").filter((line) => line.includes(`seed-${index}.ts`));
    expect(own.join("\n")).toContain(message);
  });
});
