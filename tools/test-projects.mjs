/** Which test files need more than the sources. Folders end in `/`; `*` stands for any kit. */

/** These run the built product; all others import the sources. */
export const BUILT = [
  ...["request-log", "slow-and-greedy", "data-folder", "terminal"].map((name) => `test/attack/${name}.test.ts`),
  "test/hosts/",
  "test/readme/",
  ...["documented", "isolated-user", "one-secret", "published", "recipes", "started"].map(
    (name) => `test/client/${name}.test.ts`,
  ),
  ...[
    "automation",
    "background",
    "client",
    "compile-cache",
    "completion",
    "conform",
    "doctor",
    "exec",
    "help",
    "mcp",
    "network",
    "open",
    "rehearse",
    "reset-damaged",
    "running",
    "single",
    "snapshot",
    "stage",
    "start",
  ].map((name) => `test/cli/${name}.test.ts`),
  "test/torture/built.test.ts",
  "test/kits/*/built/",
];

/** These open the console and the demo app in a browser. */
export const BROWSER = ["test/e2e/", "test/kits/*/browser/"];

/** @param {string} file relative to the checkout @returns {boolean} whether it runs the built product, or a browser on it */
export const needsBuild = (file) =>
  [...BUILT, ...BROWSER].some((place) => file.replace(/^test\/kits\/[^/]+\//, "test/kits/*/").startsWith(place));

/** @param {string[]} places @returns {string[]} globs */
export const globsOf = (places) => places.map((place) => (place.endsWith("/") ? `${place}**/*.test.ts` : place));
