/** Formats the results as Markdown. */
import { cpus, totalmem } from "node:os";
import { KINDS } from "./servers.mjs";

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(" | ")} |`;

/**
 * @param {readonly string[]} head
 * @param {readonly (readonly string[])[]} rows
 */
export const table = (head, rows) =>
  [row(head), row(head.map((_, i) => (i === 0 ? "---" : "---:"))), ...rows.map(row)].join("\n");

/** @param {number} value @param {number} digits */
export const fixed = (value, digits = 0) => (Number.isFinite(value) ? value.toFixed(digits) : "–");

/** @returns {string} a description of this machine */
export const machine = () => {
  const [first] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `${cpus().length} × ${first?.model.trim()}, ${memory} GB, ${process.platform} ${process.arch}, Node ${process.versions.node}`;
};

/**
 * @param {Map<string, Map<string, import("./phases.mjs").Rate>>} rates
 * @returns {string}
 */
export const ratesTable = (rates) =>
  table(
    [
      "operation",
      ...KINDS.map((name) => `${name}, 1/s`),
      "of Express 5",
      "of node:http",
      ...KINDS.map((name) => `${name}, µs CPU`),
      "p99 ms, Express 5",
      "p99 ms, Stagedoor",
    ],
    [...rates].map(([operation, of]) => {
      const own = of.get("Stagedoor");
      return [
        operation,
        ...KINDS.map((name) => fixed(of.get(name)?.rate ?? Number.NaN)),
        `**${fixed(own?.ofExpress ?? Number.NaN, 2)}**`,
        fixed(own?.ofBare ?? Number.NaN, 2),
        ...KINDS.map((name) => fixed(of.get(name)?.cpuUs ?? Number.NaN)),
        fixed(of.get("Express 5")?.p99Ms ?? Number.NaN, 1),
        fixed(own?.p99Ms ?? Number.NaN, 1),
      ];
    }),
  );

/**
 * @param {string} what
 * @param {Map<string, number>} values by server
 * @param {number} [digits]
 * @returns {string[]} a row with the ratio to node:http
 */
export const ratioRow = (what, values, digits = 0) => {
  const bare = values.get("node:http") ?? Number.NaN;
  const own = values.get("Stagedoor") ?? Number.NaN;
  return [what, ...KINDS.map((name) => fixed(values.get(name) ?? Number.NaN, digits)), `**${fixed(own / bare, 2)}**`];
};
