/**
 * Builds the demo app that auth serves at `/emulator/demo/`: one page, one script, one style sheet. Its
 * output goes next to the server, so it is built after it.
 */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const at = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url));

export default defineConfig({
  root: at("src-demo"),
  base: "/emulator/demo/",
  publicDir: false,
  build: {
    outDir: at("dist/server/demo"),
    emptyOutDir: true,
    // Any phone's browser of the last five years.
    target: ["chrome96", "safari15", "firefox94"],
    // A polyfill would be an inline script, which the page's policy forbids.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: at("src-demo/index.html"),
      output: {
        entryFileNames: "demo.js",
        assetFileNames: ({ names }) => (names[0]?.includes("-ext.") ? "demo-ext[extname]" : "demo[extname]"),
      },
    },
  },
});
