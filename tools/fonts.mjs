/**
 * `node tools/fonts.mjs`: cuts the fonts of the demo app from Inter, into tools/fonts: the letters that `unicode-range` in
 * src-demo/look.css lists, the weights that its `font-weight` has, and the OpenType features that browsers use by
 * themselves, or that it asks for. Run it after a change of these, or of Inter. It gets HarfBuzz from npm for this one run.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";
import { ROOT } from "./build.mjs";

const STYLES = join(ROOT, "src-demo/look.css");
const CUTTERS = ["subset-font@2.9.0", "harfbuzzjs@1.6.4"];
const FEATURES = ["calt", "ccmp", "kern", "locl", "mark", "mkmk", "tnum"];

/** @typedef {{ file: string, text: string, min: number, max: number }} Font its letters and weights */

/** @param {string} css @returns {Font[]} what its `@font-face` rules cut from Inter */
const fontsOf = (css) =>
  [...css.matchAll(/@font-face \{[^}]*\}/g)].map(([rule]) => {
    const [, min = "", max = ""] = /font-weight: (\d+) (\d+);/.exec(rule) ?? [];
    const ranges = rule.split("unicode-range:")[1]?.match(/[0-9A-F]{4}(-[0-9A-F]{4})?/g) ?? [];
    const points = ranges.flatMap((range) => {
      const [from = 0, to = from] = range.split("-").map((hex) => Number.parseInt(hex, 16));
      return Array.from({ length: to - from + 1 }, (_, index) => from + index);
    });
    const file = /url\("[^"]*\/([\w-]+)\.woff2"\)/.exec(rule)?.[1] ?? "";
    return { file, text: String.fromCodePoint(...points), min: Number(min), max: Number(max) };
  });

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const folder = mkdtempSync(join(tmpdir(), "stagedoor-fonts-"));
  try {
    execFileSync("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", ...CUTTERS], { stdio: "inherit" });
    const { default: cut } = await import(pathToFileURL(join(folder, "node_modules/subset-font/index.js")).href);
    for (const { file, text, min, max } of fontsOf(readFileSync(STYLES, "utf8"))) {
      const whole = readFileSync(join(ROOT, `node_modules/@fontsource-variable/inter/files/${file}-wght-normal.woff2`));
      const options = { targetFormat: "woff2", keepFeatures: FEATURES, variationAxes: { wght: { min, max } } };
      writeFileSync(join(ROOT, `tools/fonts/${file}.woff2`), await cut(whole, text, options));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
