/** The options of `npm run package`, and the fuses that it sets in Electron's binary. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FuseV1Options, flipFuses } from "@electron/fuses";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import config, { fusesFor } from "../../electron-builder.config.ts";
import pkg from "../../package.json" with { type: "json" };
import { FUSES, fakeBinary, fuseWire } from "./fake-electron.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-package-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe("fuses", () => {
  /** Sets the fuses of a binary that has these, and reads them back. */
  const flipped = async (before: string, platform: string, signed: boolean): Promise<string> => {
    const file = join(folder, "electron");
    await writeFile(file, fakeBinary(before));
    await flipFuses(file, { ...fusesFor(platform, signed), resetAdHocDarwinSignature: false });
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
    const renewed = (platform: string, signed: boolean) => fusesFor(platform, signed).resetAdHocDarwinSignature;
    expect([renewed("darwin", false), renewed("darwin", true), renewed("linux", false)]).toEqual([true, false, false]);
  });

  test("stop the packaging if Electron adds or removes one", async () => {
    await expect(flipped("1011000111", "linux", false)).rejects.toThrow(/strictlyRequireAllFuses/);
    for (const fuse of Object.values(FuseV1Options).filter((value) => typeof value === "number")) {
      const file = join(folder, "electron");
      await writeFile(file, fakeBinary("101100011"));
      await expect(flipFuses(file, { ...fusesFor("linux", false), [fuse]: undefined })).rejects.toThrow(/strictly/);
    }
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
      "dist/*.{txt,json}",
      "build/*.png",
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
    expect(pkg.scripts.package).toContain("electron-builder.config.ts");
  });
});

test.each([
  ["icon.png", 1024],
  ["tray.png", 22],
  ["tray@2x.png", 44],
])("build/%s is a square PNG of %i pixels", async (name, size) => {
  const bytes = await readFile(new URL(`../../build/${name}`, import.meta.url));
  expect(bytes.subarray(1, 4).toString()).toBe("PNG");
  expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([size, size]);
});
