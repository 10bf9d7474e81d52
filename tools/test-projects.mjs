/** Which test files need a build, and which of them `npm test` runs, by their folders. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** These run the built product, or open it in a browser; all others import the sources. */
export const BUILT = ["test/{e2e,hosts,readme}/**/*.test.ts", "test/**/{built,browser,core}/**/*.test.ts"];

/**
 * What `npm test` leaves to `npm run test:all`: what only those who change Stagedoor need to know (documents, generators,
 * tools, packages, tests of tests), and what takes long for what it alone finds (tortures, fuzzing, compilers, most
 * screens and commands). All else is quick, and so is `core/`: of what needs a build, what most users meet.
 */
const THOROUGH =
  /^test\/(changes|docs|e2e|fuzz|generators|hosts|main|mutants|readme|repair|tools|torture)\/|\/(browser|built|thorough)\//;

/** @param {string} file relative to the checkout @returns {"quick" | "thorough"} which run is the first to have it */
export const tierOf = (file) => (THOROUGH.test(file) && !file.includes("/core/") ? "thorough" : "quick");

/** @returns {string[]} all test files, relative to the checkout, sorted */
export const testFiles = () =>
  readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.startsWith("test/packed/"))
    .sort();
