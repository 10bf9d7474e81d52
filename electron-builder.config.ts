/**
 * `npm run package`: installers for the system it runs on, made from what is built in dist.
 *
 * All of the app is in app.asar, the server that the shell forks too: what lies beside it would escape the integrity check.
 * Nothing of node_modules is needed, as shell and server are bundled.
 */
import { join } from "node:path";
import { env } from "node:process";
import { type FuseConfig, FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import type { Configuration } from "electron-builder";

/**
 * electron-builder's own `electronFuses` knows eight of the nine fuses, and not how to insist on all.
 * @param platform as `process.platform` names it
 * @param signed whether the app will have a signature: without one macOS asks for its Keychain anew for every build
 * @returns what is burnt into Electron's binary
 */
export const fusesFor = (platform: string, signed: boolean): FuseConfig => ({
  version: FuseVersion.V1,
  // Fails when Electron gets a fuse that is not named here.
  strictlyRequireAllFuses: true,
  // Flipping breaks the signature that the binary of macOS comes with; without any it does not run on Apple's processors.
  resetAdHocDarwinSignature: platform === "darwin" && !signed,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: platform !== "darwin" || signed,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  [FuseV1Options.WasmTrapHandlers]: true,
});

const BINARY: Readonly<Record<string, string>> = {
  darwin: "Stagedoor.app",
  linux: "stagedoor",
  win32: "Stagedoor.exe",
};

const config: Configuration = {
  appId: "dev.stagedoor.desktop",
  productName: "Stagedoor",
  directories: { output: "release", buildResources: "build" },
  files: [
    "dist/main/**",
    "dist/renderer/**",
    "dist/server/**",
    "dist/*.{txt,json}",
    "build/*.png",
    "LICENSE",
    "!**/node_modules/**",
  ],
  asar: true,
  npmRebuild: false,
  publish: null,
  // Before the app is signed.
  afterPack: async ({ appOutDir, electronPlatformName }) => {
    const signed = "CSC_LINK" in env || "CSC_NAME" in env;
    const binary = BINARY[electronPlatformName];
    if (binary === undefined) throw new Error(`No fuses are known for ${electronPlatformName}.`);
    await flipFuses(join(appOutDir, binary), fusesFor(electronPlatformName, signed));
  },
  mac: { target: [{ target: "dmg", arch: ["x64", "arm64"] }], category: "public.app-category.developer-tools" },
  win: { target: [{ target: "nsis", arch: ["x64", "arm64"] }] },
  linux: {
    target: ["AppImage", "deb"],
    executableName: "stagedoor",
    category: "Development",
    maintainer: "Stagedoor <stagedoor@localhost>",
  },
  // Only the desktop app has an entry: the npm package is a command and modules. A deb must name a page: the console itself.
  extraMetadata: { main: "dist/main/index.js", homepage: "http://127.0.0.1:4012/" },
};
export default config;
