/** The Homebrew formula and the Scoop manifest of a release, generated from the sums of its files. */
import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { ARCHIVES, archiveName, packageManifests } from "../../tools/package-manifests.mjs";
import { CHECKOUT } from "./git.ts";

const names = Object.keys(ARCHIVES).map((target) => archiveName("1.2.3", target));
const sums = new Map(names.map((name, at) => [name, `${at}`.repeat(64)]));
const sumsFile = [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join("");
const { formula, manifest, winget } = packageManifests("1.2.3", "ada/door", sumsFile);
const release = "https://github.com/ada/door/releases/download/v1.2.3";

describe("the Homebrew formula", () => {
  test("has each archive of macOS and Linux with its sum, under its system and processor", () => {
    const places: string[] = [];
    const found = new Map<string, string>();
    let url = "";
    for (const line of formula.split("\n")) {
      const opened = /^ *(?:(on_\w+|test) do|class Stagedoor < Formula|def install)$/.exec(line);
      if (opened !== null) places.push(opened[1] ?? "");
      if (/^ *end$/.test(line)) places.pop();
      url = /^ *url "(.+)"$/.exec(line)?.[1] ?? url;
      const sum = /^ *sha256 "([0-9a-f]{64})"$/.exec(line)?.[1];
      if (sum !== undefined) found.set(places.filter(Boolean).join(" "), `${sum} ${url}`);
    }
    expect(places).toEqual([]);
    const expected = (name: string): string => `${sums.get(name)} ${release}/${name}`;
    expect(Object.fromEntries(found)).toEqual({
      "on_macos on_arm": expected("stagedoor-1.2.3-macos-arm64.tar.gz"),
      "on_macos on_intel": expected("stagedoor-1.2.3-macos-x64.tar.gz"),
      "on_linux on_arm": expected("stagedoor-1.2.3-linux-arm64.tar.gz"),
      "on_linux on_intel": expected("stagedoor-1.2.3-linux-x64.tar.gz"),
    });
  });

  test("describes it as Homebrew's style asks: 80 characters, no article, no full stop", () => {
    expect(formula).toMatch(/^ {2}desc "(?!An? |The )(?!.{81}).*[^.]"$/m);
  });

  test("is Ruby", ({ skip }) => {
    if (spawnSync("ruby", ["--version"]).status !== 0) skip("Ruby is not installed");
    expect(spawnSync("ruby", ["-c"], { input: formula, encoding: "utf8" })).toMatchObject({ stdout: "Syntax OK\n" });
  });
});

describe("the Scoop manifest", () => {
  /** The part of Scoop's schema.json for these fields. */
  const uri = { type: "string", pattern: "^https://[^$ ]+$" };
  const only = (properties: Record<string, object>, required = Object.keys(properties)): object => ({
    type: "object",
    additionalProperties: false,
    properties,
    required,
  });
  const for64bit = (entry: object): object => only({ "64bit": entry });
  const schema = only({
    version: { type: "string", pattern: "^[\\w.\\-+_]+$" },
    description: { type: "string" },
    homepage: uri,
    license: { type: "string" },
    architecture: for64bit(only({ url: uri, hash: { type: "string", pattern: "^[a-fA-F0-9]{64}$" } })),
    bin: { type: "string" },
    checkver: only({ github: uri }),
    autoupdate: only({
      architecture: for64bit(only({ url: { type: "string", pattern: "^https://[^ ]*\\$version" } })),
    }),
  });

  test("is what Scoop's schema asks for", () => {
    const isValid = new Ajv().compile(schema);
    expect(isValid(JSON.parse(manifest)), JSON.stringify(isValid.errors)).toBe(true);
    expect(isValid({ ...JSON.parse(manifest), hash: "0" })).toBe(false);
  });

  test("has the archive of Windows with its sum, and where the next one will be", () => {
    const name = "stagedoor-1.2.3-windows-x64.zip";
    expect(JSON.parse(manifest)).toMatchObject({
      version: "1.2.3",
      architecture: { "64bit": { url: `${release}/${name}`, hash: sums.get(name) } },
      autoupdate: { architecture: { "64bit": { url: `${release}/${name}`.replaceAll("1.2.3", "$version") } } },
    });
  });
});

describe("the winget manifests", () => {
  const read = Object.fromEntries(Object.entries(winget).map(([name, text]) => [name, parse(text)]));

  test("are the three files of a version, each of its kind, under one identifier", () => {
    const id = "ada.Stagedoor";
    expect(Object.keys(read)).toEqual([`${id}.yaml`, `${id}.installer.yaml`, `${id}.locale.en-US.yaml`]);
    const common = { PackageIdentifier: id, PackageVersion: "1.2.3", ManifestVersion: "1.10.0" };
    expect(Object.values(read)).toEqual([
      { ...common, ManifestType: "version", DefaultLocale: "en-US" },
      expect.objectContaining({ ...common, ManifestType: "installer" }),
      expect.objectContaining({ ...common, ManifestType: "defaultLocale" }),
    ]);
    for (const [name, text] of Object.entries(winget))
      expect(text).toContain(`winget-manifest.${read[name].ManifestType}.1.10.0.schema.json\n`);
  });

  test("have the archive of Windows with its sum, the file in it, and what users type", () => {
    const name = "stagedoor-1.2.3-windows-x64.zip";
    expect(read["ada.Stagedoor.installer.yaml"]).toMatchObject({
      InstallerType: "zip",
      NestedInstallerType: "portable",
      NestedInstallerFiles: [{ RelativeFilePath: "stagedoor.exe", PortableCommandAlias: "stagedoor" }],
      Installers: [{ Architecture: "x64", InstallerUrl: `${release}/${name}`, InstallerSha256: sums.get(name) }],
    });
  });

  test("describe it in what winget requires of a locale", () => {
    const { Publisher, PackageName, License, ShortDescription } = read["ada.Stagedoor.locale.en-US.yaml"];
    expect([Publisher, PackageName, License]).toEqual(["ada", "Stagedoor", "MIT"]);
    expect(ShortDescription.length).toBeLessThanOrEqual(256);
  });
});

test("a release without one of the archives has no manifests", () => {
  expect(() => packageManifests("1.2.4", "ada/door", sumsFile)).toThrow("No SHA-256 sum of stagedoor-1.2.4-");
});

test("the release builds an executable for each of them", async () => {
  const workflow = await readFile(join(CHECKOUT, ".github/workflows/release.yml"), "utf8");
  const targets = [...workflow.matchAll(/\{ os: \S+, target: (\S+) \}/g)].map(([, target]) => target);
  expect(targets.sort()).toEqual(Object.keys(ARCHIVES).sort());
});
