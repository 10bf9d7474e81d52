/**
 * Builds the server for Node 20 with all packages bundled, so that a start reads a few files instead of hundreds:
 * src-server/cli.ts → dist/server/main.js behind the entry cli.js, and testing.ts → dist/server/own.js behind testing.js for
 * `stagedoor/testing`. A dynamic
 * `import()` becomes a chunk that is loaded only when needed.
 */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { z } from "zod";
import pkg from "../../package.json" with { type: "json" };

export const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** File extensions in the UI build, now or in the future. */
const UI_FILES = new Set("html js mjs css json map svg png ico webp woff2 txt webmanifest".split(" "));

const [, major = "", minor = ""] = /^\D*(\d+)\.(\d+)/.exec(pkg.engines.node) ?? [];

/**
 * The file in `bin`. An old Node would fail on the first module with a stack trace, so this check runs before all
 * others, in ten-year-old syntax except for the `import()`. On a syntax error Node would print the whole minified line.
 * The desktop app brings its own Node, in Electron, which its user cannot change.
 */
const ENTRY = `#!/usr/bin/env node
var version = process.versions.node.split(".").map(Number);
if (process.versions.electron || version[0] > ${major} || (version[0] === ${major} && version[1] >= ${minor})) {
  if (version[0] >= 22) await import("./compile-cache.js");
  await import("./main.js")
    .then(function (main) {
      return main.ended;
    })
    .catch(function (error) {
      console.error(error);
      process.exit(1);
    });
} else {
  console.error("Stagedoor needs Node ${major}.${minor} or newer, and this is Node " + process.versions.node + ".");
  process.exitCode = 1;
}
`;

/** Without comments and spaces; stack traces still have function names. */
export const MINIFY = {
  compress: true,
  mangle: { toplevel: false, keepNames: true },
  codegen: { removeWhitespace: true },
} as const;

/** The command line's entry file, marked as executable. */
const entry: Plugin = {
  name: "stagedoor:entry",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "cli.js", source: ENTRY });
  },
  async writeBundle({ dir = "" }) {
    await chmod(join(dir, "cli.js"), 0o755);
  },
};

/** `stagedoor/testing` uses the same client module that tests import, so that errors have the same class. */
const oneClient: Plugin = {
  name: "stagedoor:one-client",
  enforce: "pre",
  resolveId: (source) => (source === "#client/index.ts" ? { id: "stagedoor/client", external: true } : null),
};

/** Packages of Express for what Stagedoor does not do: reading bodies and queries, cookies, files, trusting proxies. */
const UNUSED = /^(body-parser|qs|cookie|cookie-signature|content-disposition|ipaddr\.js|send|serve-static)$/;

/**
 * Replaces parts of packages that Stagedoor does not use, a third of what a start would read: the above; Express's own
 * log (debug); all media types (the UI's files have a handful); commander's way of starting commands as separate
 * programs, which pulls in much of Node; and the MCP server's JSON Schema validator (ajv, 120 kB) for answers to
 * questions that Stagedoor never asks.
 */
export const lessOfPackages: Plugin = {
  name: "stagedoor:less-of-packages",
  enforce: "pre",
  resolveId: (source, importer = "") => {
    if (source === "@modelcontextprotocol/server/_shims") return `\0${source}`;
    if (source === "debug") return "\0silent";
    return UNUSED.test(source) || (source === "node:child_process" && importer.includes("/commander/"))
      ? `\0unused:${source}`
      : null;
  },
  load: (id) => {
    if (id === "\0@modelcontextprotocol/server/_shims")
      return 'export { default as process } from "node:process"; export class DefaultJsonSchemaValidator {}';
    if (id === "\0silent") return "module.exports = () => () => {};";
    return id.startsWith("\0unused:") ? "module.exports = {};" : null;
  },
  transform(code, id) {
    if (!/mime-db[\\/]db\.json$/.test(id)) return null;
    const types = z
      .record(z.string(), z.looseObject({ extensions: z.array(z.string()).optional() }))
      .parse(JSON.parse(code));
    const kept = Object.entries(types).filter(([, { extensions }]) => extensions?.some((name) => UI_FILES.has(name)));
    return JSON.stringify(Object.fromEntries(kept));
  },
};

/** Loads the server when called, and on an old Node says which one it needs, instead of which name is not exported. */
const TESTING = `var version = process.versions.node.split(".").map(Number);
export var startStagedoor = async function (options) {
  if (version[0] < ${major} || (version[0] === ${major} && version[1] < ${minor}))
    throw new Error("Stagedoor needs Node ${major}.${minor} or newer, and this is Node " + process.versions.node + ".");
  return (await import("./own.js")).startStagedoor(options);
};
`;

/** As the bundler writes it: `import whole, { a as b } from "node:x";` or `import * as space from "node:x";`. */
const IMPORT = /^import ([^"\n]{1,2000}) from "(node:[a-z0-9_/]{1,40})";$/gm;

/**
 * Takes Node's modules by a call instead of an import. An import reads each of a module's exports, also those that Node
 * loads when they are read: that of node:http loads undici, 30 to 50 ms of processor time of a start on Node 22 to 26.
 */
const builtinsByCall: Plugin = {
  name: "stagedoor:builtins-by-call",
  renderChunk: (code) =>
    code.replace(IMPORT, (_all, taken: string, id: string) => {
      const brace = taken.indexOf("{");
      const whole = (brace < 0 ? taken : taken.slice(0, brace)).replace("* as ", "").replace(",", "").trim();
      const names = brace < 0 ? "" : taken.slice(brace).replaceAll(" as ", ": ");
      const module = `process.getBuiltinModule("${id}")`;
      return [whole, names].map((name) => (name === "" ? "" : `const ${name} = ${module};`)).join("");
    }),
};

/**
 * The types of `stagedoor/testing` are with those of the client, because the server's own would need its packages.
 * CommonJS gets a function that loads the module when called.
 */
const testing: Plugin = {
  name: "stagedoor:testing",
  generateBundle() {
    const types = (ending: string): string =>
      [
        `import type { StartStagedoor } from "../client/started.${ending}";`,
        `export type { Stagedoor, StartOptions, StartStagedoor } from "../client/started.${ending}";`,
        "/** Starts an emulator in this process. */",
        "export declare const startStagedoor: StartStagedoor;\n",
      ].join("\n");
    const commonJs =
      'exports.startStagedoor = async (options) => (await import("./testing.js")).startStagedoor(options);\n';
    this.emitFile({ type: "asset", fileName: "testing.d.ts", source: types("js") });
    this.emitFile({ type: "asset", fileName: "testing.d.cts", source: types("cjs") });
    this.emitFile({ type: "asset", fileName: "testing.js", source: TESTING });
    this.emitFile({ type: "asset", fileName: "testing.cjs", source: commonJs });
  },
};

export default defineConfig({
  root: at("."),
  publicDir: false,
  plugins: [lessOfPackages, oneClient, builtinsByCall, entry, testing],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    target: "node20",
    outDir: at("dist/server"),
    emptyOutDir: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: {
        main: at("src-server/cli.ts"),
        "compile-cache": at("src-server/compile-cache.ts"),
        own: at("src-server/testing.ts"),
      },
      output: {
        format: "esm",
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        // Each file costs a start half a millisecond, plus its code: few files, without comments and spaces.
        codeSplitting: {
          groups: [
            {
              name: "config",
              test: /src-server[\\/](config|config-file|boot[\\/]holder|plumbing[\\/]io|contract[\\/](passcodes|problems|ready))\.ts$/,
              priority: 3,
            },
            {
              name: "contract",
              test: /src-server[\\/](features[\\/](manifests|parts|[\w-]+[\\/]([\w-]+[\\/])?(manifest|contract[\\/](?!words)[\w-]+))\.ts|contract[\\/](?!decisions|event-items|hints|json-schema|openapi|refusals|token-verdict|wire-body))/,
              priority: 2,
            },
            { name: "fixtures", test: /src-server[\\/]fixtures[\\/]/, priority: 1 },
            { name: "server", test: /src-server[\\/]server\.ts$/ },
          ],
        },
        minify: MINIFY,
      },
    },
  },
});
