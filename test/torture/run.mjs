/**
 * `npm run torture`: tries to lose acknowledged changes. `--seed N` repeats the choices of a run, `--only WORD` runs
 * the scenarios whose name contains it, `--short` the small sizes. Exits with status 1 on any failure.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runnerImport } from "vite";
import { buildStale, ROOT } from "../../tools/build.mjs";

const { values } = parseArgs({
  options: { seed: { type: "string" }, only: { type: "string" }, short: { type: "boolean", default: false } },
});
await buildStale({ parts: ["server"], say: (line) => console.log(line) });
/** @type {{ module: typeof import("./main.ts") }} */
const { module } = await runnerImport(join(ROOT, "test/torture/main.ts"), {
  root: ROOT,
  configFile: false,
  logLevel: "error",
});
const seed = values.seed === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(values.seed);
const clean = await module.torture({ seed, only: values.only ?? "", short: values.short });
process.exitCode = clean ? 0 : 1;
