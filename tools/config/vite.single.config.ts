/**
 * Builds the server for the single executable: one CommonJS file, in which a dynamic `import()` still runs its module only
 * when it is needed, and is a `require()` where it names a module of Node. See tools/single.mjs.
 */
import { defineConfig } from "vite";
import { at, lessOfPackages, MINIFY } from "./vite.server.config.ts";

export default defineConfig({
  root: at("."),
  publicDir: false,
  plugins: [lessOfPackages],
  ssr: { noExternal: true, target: "node" },
  build: {
    ssr: true,
    target: "node20",
    emptyOutDir: false,
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { program: at("src-server/cli.ts") },
      output: {
        format: "cjs",
        codeSplitting: false,
        dynamicImportInCjs: false,
        entryFileNames: "[name].cjs",
        minify: MINIFY,
      },
    },
  },
});
