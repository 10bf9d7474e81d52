import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

const BASE = "tools/config/tsconfig.base.json";

describe("the compiler enforces the rules that globals would bypass", () => {
  let top = "";
  const output = new Map<string, string>();

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "stagedoor-types-"));
    await mkdir(join(top, "tools/config"), { recursive: true });
    await copyFile(join(CHECKOUT, BASE), join(top, BASE));
    await symlink(join(CHECKOUT, "node_modules"), join(top, "node_modules"), "junction");
    for (const room of new Set(SEEDS.map(([name]) => name))) {
      await mkdir(join(top, room), { recursive: true });
      await copyFile(join(CHECKOUT, room, "tsconfig.json"), join(top, room, "tsconfig.json"));
      for (const [index, seed] of SEEDS.entries())
        if (seed[0] === room) await writeFile(join(top, room, `seed-${index}.ts`), seed[1]);
      const tsc = join(CHECKOUT, "node_modules/typescript/bin/tsc");
      // The compiler exits with 2 when it finds something, as it must here.
      const args = [tsc, "-p", room, "--pretty", "false"];
      const { stdout } = await run(process.execPath, args, { cwd: top }).catch((error: { stdout: string }) => error);
      output.set(room, stdout);
    }
  });

  afterAll(async () => {
    await rm(top, { recursive: true, force: true });
  });

  test.each(SEEDS.map((seed, index) => [...seed, index] as const))("%s: %s", (room, _line, message, index) => {
    const own = (output.get(room) ?? "").split("\n").filter((line) => line.includes(`seed-${index}.ts`));
    expect(own.join("\n")).toContain(message);
  });
});
