import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

const report = z.object({
  diagnostics: z.array(z.object({ category: z.string(), location: z.object({ path: z.string() }) })),
});

/** Path → text with a seeded violation, and the rule that must report it. */
const SEEDS: readonly (readonly [path: string, text: string, rule: string])[] = [
  ["src-server/store/floating.ts", "const f = async () => 1;\nexport const g = () => { f(); };", "noFloatingPromises"],
  [
    "src-server/store/misused.ts",
    "const f = async () => true;\nexport const g = () => { if (f()) return 1; return 2; };",
    "noMisusedPromises",
  ],
  [
    "src-server/domain/switch.ts",
    'export const g = (kind: "a" | "b"): number => { switch (kind) { case "a": return 1; }\nreturn 0; };',
    "useExhaustiveSwitchCases",
  ],
  ["src-server/http/any.ts", "export const g = (x: any): unknown => x;", "noExplicitAny"],
  ["src-server/http/default.ts", "const x = 1;\nexport default x;", "noDefaultExport"],
  ["src-server/http/barrel.ts", 'export { x } from "./x.ts";', "noBarrelFile"],
  ["src-server/http/env.ts", "export const x = process.env.HOME;", "noProcessEnv"],
  ["src-server/http/console.ts", "console.log(1);", "noConsole"],
  ["src-main/console.ts", "console.log(1);", "noConsole"],
  ["src-server/domain/crypto.ts", "export const x = () => crypto.randomUUID();", "noRestrictedGlobals"],
  ["src-server/contract/timer.ts", "export const x = () => setTimeout(() => {}, 1);", "noRestrictedGlobals"],
  ["src-renderer/places/codes/fetch.ts", 'export const x = () => fetch("/");', "noRestrictedGlobals"],
  ["src-renderer/ui/events.ts", 'export const x = () => new EventSource("/");', "noRestrictedGlobals"],
  ["src-server/http/cycle-a.ts", 'import { b } from "./cycle-b.ts";\nexport const a = () => b;', "noImportCycles"],
];

/** Code that is allowed where it is. */
const CLEAN: Readonly<Record<string, string>> = {
  "src-server/http/cycle-b.ts": 'import { a } from "./cycle-a.ts";\n\nexport const b = () => a;\n',
  "src-server/http/x.ts": "export const x = 1;\n",
  "src-server/cli.ts": "console.log(1);\n",
  "src-server/config.ts": "export const home = process.env.HOME;\n",
  "src-renderer/api/client.ts": 'export const ask = (): Promise<Response> => fetch("/");\n',
  "some.config.ts": "export default {};\n",
  "tools/config/some.config.ts": "export default {};\n",
};

describe("Biome enforces the rules that need scopes and types", () => {
  let top = "";
  const found = new Map<string, string[]>();

  beforeAll(async () => {
    top = await mkdtemp(join(tmpdir(), "stagedoor-biome-"));
    const files = [...SEEDS.map(([path, text]) => [path, text] as const), ...Object.entries(CLEAN)];
    for (const [path, text] of files) {
      await mkdir(dirname(join(top, path)), { recursive: true });
      await writeFile(join(top, path), text);
    }
    for (const name of ["biome.json", "package.json"]) await copyFile(join(CHECKOUT, name), join(top, name));
    const biome = join(CHECKOUT, "node_modules/@biomejs/biome/bin/biome");
    const args = [biome, "lint", "--vcs-enabled=false", "--reporter=json", "--max-diagnostics=200", "."];
    // Biome exits with 1 when it finds something, as it must here.
    const { stdout } = await run(process.execPath, args, { cwd: top }).catch((error: { stdout: string }) => error);
    for (const { category, location } of report.parse(JSON.parse(stdout)).diagnostics) {
      const rules = found.get(location.path) ?? [];
      found.set(location.path, [...rules, category.split("/").at(-1) ?? category]);
    }
  });

  afterAll(async () => {
    await rm(top, { recursive: true, force: true });
  });

  test.each(SEEDS)("%s", (path, _text, rule) => {
    expect(found.get(path)).toContain(rule);
  });

  test.each(Object.keys(CLEAN).filter((path) => !path.includes("cycle")))("%s is allowed", (path) => {
    expect(found.get(path) ?? []).toEqual([]);
  });
});
