/**
 * Builds the server for Node 20: src-server/cli.ts → dist/server/cli.js, and testing.ts for `stagedoor/testing`, with all its packages inside, so that a start
 * reads a few files instead of hundreds. A dynamic `import()` makes a chunk that is read only when it is needed.
 */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { z } from "zod";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The endings of files that a build of the UI holds, and may come to hold. */
const UI_FILES = new Set("html js mjs css json map svg png ico webp woff2 txt webmanifest".split(" "));

/** A command is a file that may be run. */
const executable: Plugin = {
  name: "stagedoor:executable",
  async writeBundle(options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk.name === "cli") await chmod(join(options.dir ?? "", chunk.fileName), 0o755);
  },
};

/** The client of `stagedoor/testing` is the one that tests import, so that its errors are of the class that they know. */
const oneClient: Plugin = {
  name: "stagedoor:one-client",
  enforce: "pre",
  resolveId: (source) => (source === "#client/index.ts" ? { id: "stagedoor/client", external: true } : null),
};

/**
 * Express brings parsers of bodies and queries, which Stagedoor does not use, with tables of all character sets; and all
 * media types that there are, of which the UI's files have a handful. Read at each start, they are a third of what is read.
 * Commander can run a command as a program of its own, for which Node would load a lot.
 */
const lessOfPackages: Plugin = {
  name: "stagedoor:less-of-packages",
  enforce: "pre",
  resolveId: (source, importer = "") =>
    /^(body-parser|qs)$/.test(source) || (source === "node:child_process" && importer.includes("/commander/"))
      ? `\0unused:${source}`
      : null,
  load: (id) => (id.startsWith("\0unused:") ? "module.exports = {};" : null),
  transform(code, id) {
    if (!/mime-db[\\/]db\.json$/.test(id)) return null;
    const types = z
      .record(z.string(), z.looseObject({ extensions: z.array(z.string()).optional() }))
      .parse(JSON.parse(code));
    const kept = Object.entries(types).filter(([, { extensions }]) => extensions?.some((name) => UI_FILES.has(name)));
    return JSON.stringify(Object.fromEntries(kept));
  },
};

/** The types of `stagedoor/testing` stand with those of the client: the server's own would need its packages. */
const testingTypes: Plugin = {
  name: "stagedoor:testing-types",
  generateBundle() {
    const source = [
      'import type { StartStagedoor } from "../client/started.js";',
      'export type { Stagedoor, StartOptions, StartStagedoor } from "../client/started.js";',
      "/** Starts an emulator in this process. */",
      "export declare const startStagedoor: StartStagedoor;\n",
    ].join("\n");
    this.emitFile({ type: "asset", fileName: "testing.d.ts", source });
  },
};

export default defineConfig({
  root: at("."),
  publicDir: false,
  plugins: [lessOfPackages, oneClient, executable, testingTypes],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    target: "node20",
    outDir: at("dist/server"),
    emptyOutDir: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { cli: at("src-server/cli.ts"), testing: at("src-server/testing.ts") },
      output: {
        format: "esm",
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        // Each file costs a start half a millisecond, and its code some more: few files, without comments, names as they are.
        codeSplitting: {
          groups: [
            {
              name: "config",
              test: /src-server[\\/](config|boot[\\/]holder|commands[\\/]io|contract[\\/](passcodes|problems|ready))\.ts$/,
              priority: 3,
            },
            { name: "contract", test: /src-server[\\/]contract[\\/](?!openapi)/, priority: 2 },
            { name: "fixtures", test: /src-server[\\/]fixtures[\\/]/, priority: 1 },
            { name: "server", test: /src-server[\\/]server\.ts$/ },
          ],
        },
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
        banner: (chunk) => (chunk.name === "cli" ? "#!/usr/bin/env node" : ""),
      },
    },
  },
});
