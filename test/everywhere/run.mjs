/**
 * `npm run everywhere -- [--part] [--here] [row…]`: runs the tests in other environments, one row after the other, and
 * prints a table; exits with 1 if anything failed. Without names, all rows. `--part`: only the tests that depend on the
 * difference. `--here`: in this checkout, as CI does, not in clean clones of the last commit. A row whose tools this
 * machine lacks is skipped with the reason. Only npm uses the network: for packages and for the programs of
 * `packages.mjs`, each of which is announced.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkEmptyRoot } from "./empty-root.mjs";
import { ROWS } from "./rows.mjs";
import { checkRuntime } from "./runtime.mjs";
import { runSuite } from "./suite.mjs";
import { sumOf, tableOf } from "./table.mjs";

const options = /** @type {const} */ ({ part: { type: "boolean" }, here: { type: "boolean" } });
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const unknown = positionals.filter((name) => !ROWS.some((row) => row.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(", ")}. Rows: ${ROWS.map(({ name }) => name).join(", ")}.`);
  process.exit(2);
}
const rows = positionals.length === 0 ? ROWS : positionals.flatMap((name) => ROWS.filter((row) => row.name === name));
const folder = await mkdtemp(join(tmpdir(), "stagedoor-everywhere-"));

/** @param {import("./rows.mjs").Row} row @returns {Promise<import("./table.mjs").Line>} */
const lineOf = async (row) => {
  const { name, about, part } = row;
  const tests = (values.part || row.whole === false) && part !== undefined ? part : [];
  const ran = row.runtime || row.emptyRoot ? "black box" : tests.length === 0 ? "npm run test:all" : tests.join(" ");
  const begin = performance.now();
  console.log(`── ${name}: ${about}, ${ran}`);
  const end = row.emptyRoot
    ? await checkEmptyRoot(folder)
    : row.runtime
      ? await checkRuntime(row.runtime, folder)
      : await runSuite(row, { tests, folder, isHere: values.here === true });
  if ("missing" in end) console.log(`skipped: ${end.missing}`);
  else for (const problem of end.problems) console.log(`  ${problem}`);
  return { name, about, ran, end, seconds: (performance.now() - begin) / 1000 };
};

const lines = [];
for (const row of rows) lines.push(await lineOf(row));
const { failed } = sumOf(lines);
if (failed === 0) await rm(folder, { recursive: true, force: true });
else console.log(`The output of each row is in ${folder}.`);
console.log(tableOf(lines));
process.exitCode = failed === 0 ? 0 : 1;
