/** Which test files need more than the sources, and which of them `npm test` runs. Folders end in `/`; `*` stands for any feature, or any program. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** @returns {string[]} all test files, relative to the checkout, sorted */
export const testFiles = () =>
  readdirSync(join(ROOT, "test"), { recursive: true, encoding: "utf8" })
    .map((name) => `test/${name.replaceAll("\\", "/")}`)
    .filter((name) => /\.test\.tsx?$/.test(name) && !name.startsWith("test/packed/"))
    .sort();

/** These run the built product; all others import the sources. */
export const BUILT = [
  ...["request-log", "slow-and-greedy", "data-folder", "terminal", "filled-shares"].map(
    (name) => `test/attack/${name}.test.ts`,
  ),
  "test/hosts/",
  "test/readme/",
  ...["documented", "isolated-user", "notices", "one-secret", "published", "recipes", "started"].map(
    (name) => `test/client/${name}.test.ts`,
  ),
  ...[
    "automation",
    "background",
    "called-as",
    "client",
    "compile-cache",
    "env",
    "exec",
    "help",
    "one-plan",
    "paths",
    "reset-damaged",
    "running",
    "single",
    "start",
  ].map((name) => `test/cli/${name}.test.ts`),
  "test/torture/built.test.ts",
  "test/features/**/built/",
  "test/programs/*/built/",
];

/** These open the console and the demo app in a browser. */
export const BROWSER = ["test/e2e/", "test/features/**/browser/", "test/programs/*/browser/"];

/**
 * What `npm test` leaves to `npm run test:all`: what only those who change Stagedoor need to know (documents, generators,
 * tools, packages, tests of tests), and what takes long for what it alone finds (tortures, fuzzing, compilers, most
 * screens and commands). All else is quick: a new test runs in `npm test` unless its place is named here.
 */
export const THOROUGH = [
  ...["changes", "docs", "e2e", "fuzz", "generators", "hosts", "main", "mutants", "readme", "tools", "torture"].map(
    (folder) => `test/${folder}/`,
  ),
  ...["bounds", "data-folder", "filled-shares", "hostile-pages", "request-log", "slow-and-greedy", "terminal"].map(
    (name) => `test/attack/${name}.test.ts`,
  ),
  "test/boot/tls-bounds.test.ts",
  "test/certificates/programs.test.ts",
  ...["automation", "background", "client", "compile-cache", "env", "one-plan", "reset-damaged", "single", "start"].map(
    (name) => `test/cli/${name}.test.ts`,
  ),
  ...["documented", "notices", "one-secret", "published", "recipes"].map((name) => `test/client/${name}.test.ts`),
  "test/contract/openapi-answers.test.ts",
  "test/http/decisions/hostile.test.ts",
  "test/repair/",
  "test/store/recovery/kill.test.ts",
  "test/store/snapshots/many-profiles.test.ts",
  "test/walls/regexes.test.ts",
  "test/features/**/browser/",
  "test/features/**/built/",
  "test/features/**/thorough/",

  "test/programs/*/browser/",
  "test/programs/*/built/",
  "test/programs/*/thorough/",
];

/** The browser's core: quick, though its folder is not. */
export const CORE = [
  ...["demo", "inbox", "live", "status-line"].map((name) => `test/e2e/${name}.test.ts`),
  "test/programs/stage/browser/stage-page.test.ts",
];

/** @param {string} file relative to the checkout @param {string} place @returns {boolean} whether the file is there */
export const isAt = (file, place) =>
  file.startsWith(place) ||
  file
    .replace(/^test\/features\/(?:[\w-]+\/)+?(?=(?:browser|built|thorough)\/|[^/]+$)/, "test/features/**/")
    .replace(/^(test\/programs\/)[^/]+\//, "$1*/")
    .startsWith(place);

/** @param {string} file relative to the checkout @returns {"quick" | "thorough"} which run is the first to have it */
export const tierOf = (file) =>
  !CORE.includes(file) && THOROUGH.some((place) => isAt(file, place)) ? "thorough" : "quick";

/** @param {string[]} places @returns {string[]} globs */
export const globsOf = (places) => places.map((place) => (place.endsWith("/") ? `${place}**/*.test.ts` : place));
