/** The types of `stagedoor/client` as users get them, written out, are those that the checkout works with. */
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { clientTypes } from "#contract/documents/client-types.ts";
import { clientTypesText } from "../../tools/documents/client-types.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const NAMES = Object.keys(clientTypes);

test("each type is the same for users as in the checkout", { timeout: 120_000 }, async () => {
  // In the checkout, so that the compiler finds its packages.
  const folder = await mkdtemp(join(CHECKOUT, "node_modules/.client-types-"));
  try {
    // Users get values of JSON as `unknown`; that is all in which the two may differ.
    const written = clientTypesText().replaceAll(/\bunknown(?=[;>]| \|)/g, "any");
    await writeFile(join(folder, "written.ts"), written);
    const lines = NAMES.flatMap((name) => [
      `export const to${name} = (one: Checkout.${name}): Written.${name} => one;`,
      `export const from${name} = (one: Written.${name}): Checkout.${name} => one;`,
    ]);
    const imports = [
      `import type * as Checkout from ${JSON.stringify(join(CHECKOUT, "src-client/records.ts"))};`,
      'import type * as Written from "./written.ts";',
    ];
    await writeFile(join(folder, "same.ts"), [...imports, ...lines].join("\n"));
    const config = {
      extends: join(CHECKOUT, "src-client/tsconfig.json"),
      // What has a default may also be undefined in the contract; whose own files need the option.
      compilerOptions: { exactOptionalPropertyTypes: false },
      include: ["*.ts"],
      exclude: [],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
    const compiler = join(CHECKOUT, "node_modules/typescript/bin/tsc");
    const { stdout } = spawnSync(process.execPath, [compiler, "-p", folder, "--pretty", "false"], { encoding: "utf8" });
    expect(stdout.split("\n").filter((line) => line.includes("same.ts"))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("every named type is among them", async () => {
  const { default: text } = await import("../../src-client/records.ts?raw");
  const named = [...text.matchAll(/^export type (\w+) =/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(NAMES.toSorted());
});
