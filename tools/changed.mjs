/**
 * Finds what a change affects: the files that differ from the last commit, the tests of their rooms, and those of the
 * rooms that stand on these by the table of the walls (`test/walls/rules.ts`).
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { ROOT } from "./build.mjs";
import { needsBuild, testFiles } from "./test-projects.mjs";

/** @param {string[]} args @returns {string[]} the paths that git lists */
const git = (...args) => spawnSync("git", args, { cwd: ROOT, encoding: "utf8" }).stdout.split("\0").filter(Boolean);

/** @returns {string[]} files that differ from the last commit, including new and deleted ones; relative to the checkout */
export const changedFiles = () => [
  ...git("diff", "-z", "--name-only", "--no-renames", "HEAD"),
  ...git("ls-files", "-z", "--others", "--exclude-standard"),
];

/** @typedef {import("../test/walls/rules.ts").Room} Room */
/** @typedef {{ ROOMS: readonly Room[], roomOf: (path: string) => Room | undefined }} Walls */

/** @returns {Promise<Walls>} the rooms, and the room of a file */
export const readWalls = async () => {
  // Only when needed: without a build, or where Vite cannot work, `npm test` must still say why.
  const { runnerImport } = await import("vite");
  /** @param {string} path */
  const load = async (path) =>
    (await runnerImport(join(ROOT, path), { root: ROOT, configFile: false, logLevel: "error" })).module;
  const [rules, walls] = await Promise.all([load("test/walls/rules.ts"), load("test/walls/walls.ts")]);
  return /** @type {Walls} */ ({ ...rules, ...walls });
};

/** Room → where its tests are, if not in `test/<room>/`; the tests of `server` go through all of it. @type {Record<string, string[]>} */
const HOMES = {
  commands: ["test/cli/"],
  plumbing: ["test/cli/"],
  program: ["test/cli/"],
  conform: ["test/programs/conform/"],
  config: ["test/cli/config.test.ts"],
  contract: ["test/contract/", "test/docs/", "test/fuzz/"],
  demo: ["test/e2e/demo.test.ts", "test/features/devices/hello.test.ts"],
  domain: ["test/domain/", "test/http/decisions/", "test/http/tokens/", "test/attack/", "test/model/"],
  frameworks: ["test/client/"],
  http: ["test/http/", "test/attack/"],
  manifests: ["test/contract/", "test/docs/", "test/features/"],
  people: ["test/people/", "test/docs/deterministic.test.ts"],
  random: ["test/tokens/"],
  server: ["test/boot/", "test/fixtures/", "test/repair/", "test/model/"],
};

/** What is in no room → its tests. @type {[RegExp, string[]][]} */
const BESIDE = [
  [/^fixtures\//, ["test/fixtures/", "test/docs/"]],
  [/^tools\/documents\//, ["test/docs/"]],
  [/^tools\/(config\/electron-builder|package|icons)/, ["test/main/package.test.ts"]],
  [/^(tools|\.github|\.ci)\/|^(package(-lock)?\.json|CHANGELOG\.md|\.nvmrc)$/, ["test/tools/"]],
  [/^docs\/|^(README\.md|config\.schema\.json)$/, ["test/docs/", "test/readme/"]],
  [/^test\/support\//, ["test/http/", "test/model/"]],
];

/** @param {string} file of `test` @returns {string} its folder, or the nearest above it that is there */
const folderOf = (file) => {
  let folder = dirname(file);
  while (!existsSync(join(ROOT, folder))) folder = dirname(folder);
  return `${folder}/`;
};

/**
 * @param {string} file that has changed
 * @param {Walls} walls
 * @returns {{ rooms: string[], places: string[] }} its room and those that stand on it, and the places of their tests
 */
export const testsOf = (file, { ROOMS, roomOf }) => {
  const own = roomOf(file);
  if (own === undefined) {
    const beside = BESIDE.find(([pattern]) => pattern.test(file))?.[1];
    if (beside !== undefined) return { rooms: [], places: beside };
    if (!file.startsWith("test/")) return { rooms: [], places: [] };
    return { rooms: [], places: [/\.test\.tsx?$/.test(file) ? file : folderOf(file)] };
  }
  // A set may grow while it is walked. The program (`config`, `server`) may import all, so nothing is on top of it.
  const rooms = new Set([own.name]);
  for (const name of rooms)
    for (const room of ROOMS)
      if (
        !/^(config|server)$/.test(name) &&
        room.rooms.some((may) => may === name || may === file || `src-server/${may}` === file)
      )
        rooms.add(room.name);
  return { rooms: [...rooms], places: [...rooms].flatMap((name) => HOMES[name] ?? [`test/${name}/`]) };
};

/**
 * @param {readonly string[]} files that have changed
 * @param {Walls} walls
 * @param {readonly string[]} [tests] all test files
 * @returns {{ run: string[], unbuilt: string[], why: string[] }} the tests to run, those that are left as they need a build,
 *   and a line for each changed file. A test that has changed itself, or is named for a room, runs even if it needs one.
 */
export const selectTests = (files, walls, tests = testFiles()) => {
  const found = files.map((file) => ({ file, ...testsOf(file, walls) }));
  const places = new Set(["test/walls/walls.test.ts", ...found.flatMap((each) => each.places)]);
  const chosen = tests.filter((test) => [...places].some((place) => test.startsWith(place)));
  const run = chosen.filter((test) => places.has(test) || !needsBuild(test));
  const why = found.map(({ file, rooms: [own, ...above], places }) => {
    const on = above.length === 0 ? "" : `, on which ${above.join(", ")} stand`;
    return `${file}${own === undefined ? "" : ` (${own}${on})`}: ${[...new Set(places)].join(" ") || "no tests"}`;
  });
  return { run, unbuilt: chosen.filter((test) => !run.includes(test)), why };
};
