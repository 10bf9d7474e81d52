/**
 * `npm run package`: builds installers for the current platform from dist.
 *
 * Everything is in app.asar, including the server that the shell forks: files outside it would escape the integrity
 * check. Nothing from node_modules is needed, because shell and server are bundled.
 */
import { join } from "node:path";
import { env } from "node:process";
import { type FuseConfig, FuseV1Options, FuseVersion, flipFuses } from "@electron/fuses";
import type { Configuration } from "electron-builder";

/**
 * @param platform a `process.platform` value
 * @param given the environment; GitHub gives a secret that is not there as the empty text
 * @returns whether electron-builder will sign: on macOS notarise too, without which a signature helps no one
 */
export const isSigned = (platform: string, given: Readonly<Record<string, string | undefined>>): boolean => {
  if (platform === "darwin") return Boolean((given["CSC_LINK"] || given["CSC_NAME"]) && given["APPLE_API_KEY"]);
  return platform === "win32" && Boolean(given["WIN_CSC_LINK"] || given["CSC_LINK"]);
};

/**
 * electron-builder's own `electronFuses` knows eight of the nine fuses, and cannot require all of them.
 * @param platform a `process.platform` value
 * @param signed whether the app will be signed: without a signature macOS asks for Keychain access for every build
 * @param electron its version: the one for tests (tools/test-electron.mjs), 33, has eight fuses, the product's own nine
 * @returns the fuses to set in Electron's binary
 */
export const fusesFor = (platform: string, signed: boolean, electron: string): FuseConfig => ({
  version: FuseVersion.V1,
  // Fails when Electron adds a fuse that is missing here.
  strictlyRequireAllFuses: true,
  // Setting fuses invalidates the signature of the macOS binary, which needs one to run on Apple silicon.
  resetAdHocDarwinSignature: platform === "darwin" && !signed,
  [FuseV1Options.RunAsNode]: false,
  [FuseV1Options.EnableCookieEncryption]: platform !== "darwin" || signed,
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: false,
  [FuseV1Options.EnableNodeCliInspectArguments]: false,
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation]: true,
  [FuseV1Options.OnlyLoadAppFromAsar]: true,
  [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
  [FuseV1Options.GrantFileProtocolExtraPrivileges]: false,
  ...(Number.parseInt(electron, 10) < 45 ? {} : { [FuseV1Options.WasmTrapHandlers]: true }),
});

const BINARY: Readonly<Record<string, string>> = {
  darwin: "Stagedoor.app",
  linux: "stagedoor",
  win32: "Stagedoor.exe",
};

/** @returns the name of an installer; on Linux only the attestation of the release tells who built it. */
export const artifactName = (platform: string, signed: boolean): string =>
  `\${productName}-\${version}-\${arch}${signed || platform === "linux" ? "" : "-unsigned-preview"}.\${ext}`;

const signed = isSigned(process.platform, env);

const config: Configuration = {
  appId: "dev.stagedoor.desktop",
  productName: "Stagedoor",
  directories: { output: "release", buildResources: "tools/icons" },
  files: [
    "dist/main/**",
    "dist/renderer/**",
    "dist/server/**",
    "dist/client/*.js",
    "dist/*.{txt,json}",
    "tools/icons/*.png",
    "LICENSE",
    "!**/node_modules/**",
  ],
  asar: true,
  npmRebuild: false,
  publish: null,
  artifactName: artifactName(process.platform, signed),
  // Windows looks at the last extension alone, and `.json` is not ours to take: there only `.stagedoor` opens. One entry each,
  // as Linux's file patterns are made from a single extension.
  fileAssociations: ["stagedoor.json", "stagedoor"].map((ext) => ({
    ...{ ext, name: "Stagedoor fixtures", description: "Stagedoor fixtures", role: "Viewer" },
    mimeType: "application/vnd.stagedoor+json",
  })),
  // Links of src-main/links.ts. Linux and macOS know them from the package; on Windows the app registers itself.
  protocols: { name: "Stagedoor", schemes: ["stagedoor"] },
  // Runs before the app is signed.
  afterPack: async ({ appOutDir, electronPlatformName, packager }) => {
    const binary = BINARY[electronPlatformName];
    if (binary === undefined) throw new Error(`No fuses are known for ${electronPlatformName}.`);
    const { version } = packager.info.framework;
    await flipFuses(join(appOutDir, binary), fusesFor(electronPlatformName, signed, version));
  },
  mac: {
    target: [{ target: "dmg", arch: ["x64", "arm64"] }],
    category: "public.app-category.developer-tools",
    // Under it an ad-hoc signature cannot load Electron's own framework, whose team it does not share.
    hardenedRuntime: signed,
    entitlements: "tools/icons/entitlements.mac.plist",
    entitlementsInherit: "tools/icons/entitlements.mac.plist",
  },
  win: { target: [{ target: "nsis", arch: ["x64", "arm64"] }] },
  linux: {
    target: ["AppImage", "deb"],
    icon: "tools/icons/icons",
    executableName: "stagedoor",
    // The name of the .desktop file is the class of the windows, by which a desktop knows them. Electron takes the class from
    // `desktopName`, before version 41 from `productName`, so they are the same (`electron.vite.config.ts` has them, too).
    syncDesktopName: true,
    category: "Development",
    maintainer: "Stagedoor <stagedoor@localhost>",
  },
  // Only the desktop app has an entry point. A deb must have a homepage: the console itself.
  extraMetadata: {
    ...{ main: "dist/main/index.js", homepage: "http://127.0.0.1:4012/" },
    ...{ productName: "Stagedoor", desktopName: "Stagedoor.desktop" },
  },
};
export default config;
