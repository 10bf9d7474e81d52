/**
 * Builds the desktop shell (src-main → dist/main) and the console UI (src-renderer → dist/renderer).
 *
 * The UI is a plain web app: the server's console listener serves dist/renderer at `/`, to the window and to any browser.
 * Seen from the built server, dist/server/cli.js, it lies in `../renderer`. Files under `/assets/` carry a hash of their
 * content in the name and may be cached for ever; `index.html` may not. Every script, style and preload in `index.html`
 * has `nonce="__CSP_NONCE__"`, and a `<meta property="csp-nonce">` hands it to the page: the listener replaces the
 * placeholder, in each answer, by a fresh nonce.
 */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import postcssPresetMantine from "postcss-preset-mantine";
import type { Plugin } from "vite";
import pkg from "./package.json" with { type: "json" };

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** electron-vite sets a relative base, made for file://; our pages have addresses of their own, below the root. */
const servedFromRoot = { name: "stagedoor:served-from-root", config: () => ({ base: "/" }) };

/**
 * dist/main/command.js, which the shell forks: the built command line in a utility process. That does not end by itself when
 * there is nothing left to do (electron/electron#47228), so it is told to. Written here, as the shell imports no server.
 */
const command: Plugin = {
  name: "stagedoor:command",
  generateBundle() {
    // `npm start` hands Electron this folder: "main" of the package itself would tell other programs that it is a library.
    const { name, version } = pkg;
    const manifest = JSON.stringify({ name, version, type: "module", main: "index.js" });
    this.emitFile({ type: "asset", fileName: "package.json", source: manifest });
    const source = 'await import("../server/cli.js");\nprocess.stderr.write("", () => process.exit());\n';
    this.emitFile({ type: "asset", fileName: "command.js", source });
  },
};

export default defineConfig({
  main: {
    plugins: [command],
    build: {
      outDir: at("dist/main"),
      // What the shell needs of the contract is bundled with it.
      externalizeDeps: false,
      rolldownOptions: { input: { index: at("src-main/index.ts") } },
    },
  },
  renderer: {
    root: at("src-renderer"),
    publicDir: at("src-renderer/public"),
    plugins: [react(), servedFromRoot],
    css: { postcss: { plugins: [postcssPresetMantine()] } },
    html: { cspNonce: "__CSP_NONCE__" },
    build: {
      outDir: at("dist/renderer"),
      // Any browser of the last two years, not only the window.
      target: "es2022",
      minify: true,
      // A data: URL would need a hole in the content security policy.
      assetsInlineLimit: 0,
      // In kB before gzip, which makes a third of it.
      chunkSizeWarningLimit: 750,
      rolldownOptions: {
        input: { index: at("src-renderer/index.html") },
      },
    },
  },
});
