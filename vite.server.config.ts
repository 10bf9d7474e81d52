/**
 * Builds the server for Node 20: src-server/cli.ts → dist/server/cli.js, with all its packages inside, so that a start
 * reads a few files instead of hundreds. A dynamic `import()` makes a chunk that is read only when it is needed.
 */
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** A command is a file that may be run. */
const executable: Plugin = {
  name: "stagedoor:executable",
  async writeBundle(options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk.isEntry) await chmod(join(options.dir ?? "", chunk.fileName), 0o755);
  },
};

export default defineConfig({
  root: at("."),
  publicDir: false,
  plugins: [executable],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    target: "node20",
    outDir: at("dist/server"),
    emptyOutDir: true,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { cli: at("src-server/cli.ts") },
      output: {
        format: "esm",
        entryFileNames: "[name].js",
        chunkFileNames: "chunks/[name]-[hash].js",
        banner: (chunk) => (chunk.isEntry ? "#!/usr/bin/env node" : ""),
      },
    },
  },
});
