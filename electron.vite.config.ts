/**
 * Builds the desktop shell (src-main → dist/main) and the console UI (src-renderer → dist/renderer).
 *
 * The UI is a plain web app: the server's console listener serves dist/renderer at `/`, to the window and to any
 * browser. Relative to the built server, dist/server/cli.js, it is in `../renderer`. Files under `/assets/` have a
 * content hash in their name and are immutable; `index.html` must not be cached. The listener replaces its
 * `__CSP_NONCE__` with a fresh nonce for the styles of Mantine. Scripts need none; with one, V8 would compile them again
 * for each page.
 */
import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "electron-vite";
import postcssPresetMantine from "postcss-preset-mantine";
import type { Plugin } from "vite";
import pkg from "./package.json" with { type: "json" };

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** electron-vite sets a relative base, for file://; our pages have URLs below the root. */
const servedFromRoot = { name: "stagedoor:served-from-root", config: () => ({ base: "/" }) };

/**
 * dist/main/command.js, which the shell forks: the built command line in a utility process, which this makes exit when
 * it has nothing left to do (electron/electron#47228). Generated, because the shell imports no server code.
 */
const command: Plugin = {
  name: "stagedoor:command",
  generateBundle() {
    // `npm start` runs Electron on this folder: "main" in the package's own manifest would mark it as a library.
    const { name, version } = pkg;
    const manifest = JSON.stringify({
      name,
      version,
      type: "module",
      main: "index.js",
      productName: "Stagedoor",
      desktopName: "Stagedoor.desktop",
    });
    this.emitFile({ type: "asset", fileName: "package.json", source: manifest });
    const source = 'await import("../server/cli.js");\nprocess.stderr.write("", () => process.exit());\n';
    this.emitFile({ type: "asset", fileName: "command.js", source });
  },
};

/** What the first view shows of what the screens share. */
const FIRST_VIEW = new RegExp(
  [
    "styles/",
    "ui/(?!form|qr-code)",
    "api/(?!send-import|profile-pages)",
    "shared/(arrival|history/undo-band|user/send-code|request/row-words|fault/(fault-words|scenario-words))",
    "shared/login/(stories|standing|use-logins|passcode-status|code-mark|download-login)",
    "shell/(screens|settings-open)",
    "places/(simulate/marks|setup/lan-mark)",
  ]
    .map((path) => `src-renderer/${path}`.replaceAll("/", "[\\\\/]"))
    .join("|"),
);

export default defineConfig({
  main: {
    plugins: [command],
    build: {
      outDir: at("dist/main"),
      // Bundles the parts of the contract that the shell needs.
      externalizeDeps: false,
      rolldownOptions: { input: { index: at("src-main/index.ts") } },
    },
  },
  renderer: {
    root: at("src-renderer"),
    publicDir: at("src-renderer/public"),
    plugins: [react(), servedFromRoot],
    css: { postcss: { plugins: [postcssPresetMantine()] } },
    build: {
      outDir: at("dist/renderer"),
      // Any browser of the last two years, not only the desktop window.
      target: "es2022",
      minify: true,
      // A data: URL would require an exception in the Content Security Policy.
      assetsInlineLimit: 0,
      // In kB, before gzip reduces it to a third.
      chunkSizeWarningLimit: 750,
      rolldownOptions: {
        input: { index: at("src-renderer/index.html") },
        // In one chunk, so that the order of the style sheets does not depend on what the screens share; with what the
        // first view shows, which small chunks would make larger.
        output: {
          codeSplitting: {
            groups: [
              {
                name: "ui",
                test: FIRST_VIEW,
              },
            ],
          },
        },
      },
    },
  },
});
