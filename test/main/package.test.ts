/** The options of `npm run package`, and the fuses that it sets in Electron's binary. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuseV1Options, flipFuses } from "@electron/fuses";
import { Ajv } from "ajv";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import pkg from "../../package.json" with { type: "json" };
import config, { artifactName, fusesFor, isSigned } from "../../tools/config/electron-builder.config.ts";
import { signingEnvironment } from "../../tools/package.mjs";
import { FUSES, fakeBinary, fuseWire } from "./fake-electron.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-package-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("fuses", () => {
  /** Sets the fuses of a binary that has these, and reads them back. */
  const flipped = async (before: string, platform: string, signed: boolean, version = "45.4.1"): Promise<string> => {
    const file = join(folder, "electron");
    await writeFile(file, fakeBinary(before));
    await flipFuses(file, { ...fusesFor(platform, signed, version), resetAdHocDarwinSignature: false });
    return fuseWire(await readFile(file));
  };

  test.each([
    ["linux", false, "010011001"],
    ["win32", false, "010011001"],
    ["darwin", true, "010011001"],
    // Cookies stay unencrypted without a signature: the Keychain would ask after every build.
    ["darwin", false, "000011001"],
  ])("on %s, signed: %s, they are %s", async (platform, signed, wanted) => {
    expect(await flipped("101100011", platform, signed)).toBe(wanted);
    expect(await flipped("000000000", platform, signed)).toBe(wanted);
    expect(await flipped("111111111", platform, signed)).toBe(wanted);
  });

  test("renew the ad-hoc signature only on macOS without a signature", () => {
    const renewed = (platform: string, signed: boolean) =>
      fusesFor(platform, signed, "45.4.1").resetAdHocDarwinSignature;
    expect([renewed("darwin", false), renewed("darwin", true), renewed("linux", false)]).toEqual([true, false, false]);
  });

  test("stop the packaging if Electron adds or removes one", async () => {
    await expect(flipped("1011000111", "linux", false)).rejects.toThrow(/strictlyRequireAllFuses/);
    for (const fuse of Object.values(FuseV1Options).filter((value) => typeof value === "number")) {
      const file = join(folder, "electron");
      await writeFile(file, fakeBinary("101100011"));
      await expect(flipFuses(file, { ...fusesFor("linux", false, "45.4.1"), [fuse]: undefined })).rejects.toThrow(
        /strictly/,
      );
    }
  });

  test("leave out the one that the Electron for tests does not have", async () => {
    expect(await flipped("10110001", "linux", false, "33.2.1")).toBe("01001100");
    await expect(flipped("10110001", "linux", false)).rejects.toThrow(/WasmTrapHandlers/);
    await expect(flipped("101100011", "linux", false, "33.2.1")).rejects.toThrow(/WasmTrapHandlers/);
  });

  test("include all that the installed @electron/fuses knows", () => {
    expect(Object.values(FuseV1Options).filter((value) => typeof value === "number")).toHaveLength(FUSES.length);
  });
});

describe("the configuration", () => {
  test("builds AppImage, deb, dmg and nsis", () => {
    const { linux, mac, win } = config;
    expect(linux?.target).toEqual(["AppImage", "deb"]);
    expect(mac?.target).toEqual([{ target: "dmg", arch: ["x64", "arm64"] }]);
    expect(win?.target).toEqual([{ target: "nsis", arch: ["x64", "arm64"] }]);
  });

  test("packs the whole build and nothing else", () => {
    expect(config.asar).toBe(true);
    expect(config).not.toHaveProperty("asarUnpack");
    for (const extra of ["extraFiles", "extraResources"]) expect(config).not.toHaveProperty(extra);
    expect(config.files).toEqual([
      "dist/main/**",
      "dist/renderer/**",
      "dist/server/**",
      "dist/client/*.js",
      "dist/*.{txt,json}",
      "tools/icons/*.png",
      "LICENSE",
      "!**/node_modules/**",
    ]);
    expect(config.publish).toBeNull();
  });

  test("has its own identity, and leaves the fuses to us", () => {
    expect(config).toMatchObject({ appId: "dev.stagedoor.desktop", productName: "Stagedoor" });
    expect(config.electronFuses).toBeUndefined();
    expect(config.extraMetadata).toMatchObject({ main: "dist/main/index.js" });
    expect(pkg).not.toHaveProperty("main");
    expect(pkg).not.toHaveProperty("dependencies");
  });

  test("is one by electron-builder's own schema", async () => {
    const nodeRequire = createRequire(createRequire(import.meta.url).resolve("electron-builder"));
    const schema = z.looseObject({}).parse(nodeRequire("app-builder-lib/scheme.json"));
    const validate = new Ajv({ strict: false }).compile(schema);
    const { afterPack: _, ...plain } = config;
    expect(validate(plain), JSON.stringify(validate.errors)).toBe(true);
    expect(validate({ ...plain, mac: { ...plain.mac, entitlement: "" } })).toBe(false);
  });

  test("opens links to its pages; on Linux they reach the app as they are", () => {
    expect(config.protocols).toEqual({ name: "Stagedoor", schemes: ["stagedoor"] });
    // Without a code of its own in them, electron-builder appends %U; %F would drop whatever is no file.
    expect(config.linux?.executableArgs ?? []).not.toContainEqual(expect.stringMatching(/%[fFu]/));
  });

  test("opens fixture files, each extension with a pattern of its own", () => {
    const associations = [config.fileAssociations ?? []].flat();
    expect(associations.map(({ ext }) => ext)).toEqual(["stagedoor.json", "stagedoor"]);
    for (const { mimeType, role } of associations)
      expect([mimeType, role]).toEqual(["application/vnd.stagedoor+json", "Viewer"]);
  });

  test("names an installer without the system's signature so", () => {
    expect(artifactName("linux", false)).not.toContain("unsigned");
    for (const platform of ["darwin", "win32"]) {
      expect(artifactName(platform, false)).toContain("-unsigned-preview.");
      expect(artifactName(platform, true)).not.toContain("unsigned");
    }
  });
});

describe("signing", () => {
  const keep = (text: string): string => `/keys/${text}`;
  const mac = { MAC_CSC_LINK: "cert", MAC_CSC_KEY_PASSWORD: "word", APPLE_API_KEY_TEXT: "p8", APPLE_API_KEY_ID: "id" };

  test("on macOS needs the certificate and the key of the notary", () => {
    const env = signingEnvironment("darwin", mac, keep);
    expect(env).toEqual({
      ...{ CSC_LINK: "cert", CSC_KEY_PASSWORD: "word" },
      ...{ APPLE_API_KEY: "/keys/p8", APPLE_API_KEY_ID: "id" },
    });
    expect(isSigned("darwin", env)).toBe(true);
    expect(isSigned("darwin", signingEnvironment("darwin", { ...mac, APPLE_API_KEY_TEXT: "" }, keep))).toBe(false);
  });

  test("without secrets, which come as the empty text, is not tried", () => {
    const none = { MAC_CSC_LINK: "", APPLE_API_KEY_TEXT: "", APPLE_API_KEY_ID: "", WIN_CSC_LINK: "" };
    for (const platform of ["darwin", "win32", "linux"]) {
      const env = signingEnvironment(platform, none, keep);
      expect(env).toEqual({ CSC_IDENTITY_AUTO_DISCOVERY: "false" });
      expect(isSigned(platform, env)).toBe(false);
    }
  });

  test("on Windows takes that system's certificate, and never the one of macOS", () => {
    const env = signingEnvironment("win32", { ...mac, WIN_CSC_LINK: "pfx" }, keep);
    expect(env).toMatchObject({ WIN_CSC_LINK: "pfx" });
    expect(env).not.toHaveProperty("CSC_LINK");
    expect(isSigned("win32", env)).toBe(true);
  });

  test("asks macOS for the compiler of V8 and for nothing else", async () => {
    const { entitlements = "", entitlementsInherit } = config.mac ?? {};
    expect(entitlementsInherit).toBe(entitlements);
    const text = await readFile(new URL(`../../${entitlements}`, import.meta.url), "utf8");
    expect(text.match(/<key>.*<\/key>/g)).toEqual(["<key>com.apple.security.cs.allow-jit</key>"]);
  });
});

describe("pictures", () => {
  const resource = (name: string): Promise<Buffer> => readFile(new URL(`../../tools/icons/${name}`, import.meta.url));
  const sizeOf = (png: Buffer): number[] => [png.readUInt32BE(16), png.readUInt32BE(20)];

  test.each([
    ["icon.png", 1024],
    ["tray.png", 22],
    ["tray@2x.png", 44],
    ...[16, 24, 32, 48, 64, 128, 256, 512, 1024].map((size): [string, number] => [`icons/${size}x${size}.png`, size]),
  ])("resources/%s is a square PNG of %i pixels", async (name, size) => {
    const bytes = await resource(name);
    expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(sizeOf(bytes)).toEqual([size, size]);
  });
});
