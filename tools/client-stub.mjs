/**
 * Writes `client/package.json`, through which tools that do not know `exports` (TypeScript's `node10`, old bundlers) find
 * `stagedoor/client`. Part of the package alone, so whatever packs it writes it first: `npm pack` by `prepack`.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";

const STUB = { main: "../dist/client/index.cjs", types: "../dist/client/index.d.cts" };

/** @see the top of this file */
export const writeClientStub = () => {
  mkdirSync(join(ROOT, "client"), { recursive: true });
  writeFileSync(join(ROOT, "client/package.json"), `${JSON.stringify(STUB, null, 2)}\n`);
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) writeClientStub();
