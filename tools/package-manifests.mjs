/**
 * `node tools/package-manifests.mjs VERSION OWNER/NAME SHA256SUMS FOLDER`: writes the Homebrew formula `stagedoor.rb`, the
 * Scoop manifest `stagedoor.json` and the three winget manifests of a release into the folder, with the sums of its
 * single executables.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { pathToFileURL } from "node:url";

/** Target of a single executable → the end of its archive's name. @type {Record<string, string>} */
export const ARCHIVES = {
  "linux-x64": "linux-x64.tar.gz",
  "linux-arm64": "linux-arm64.tar.gz",
  "darwin-arm64": "macos-arm64.tar.gz",
  "darwin-x64": "macos-x64.tar.gz",
  "win32-x64": "windows-x64.zip",
};

/** @param {string} version @param {string} target @returns {string} the name of its archive */
export const archiveName = (version, target) => `stagedoor-${version}-${ARCHIVES[target]}`;

const DESCRIPTION = "Local emulator of a User Profile and Session Service";

/** The version of winget's schemas. */
const WINGET = "1.10.0";

/**
 * @param {string} version
 * @param {string} repository `owner/name`
 * @param {{ url: string, sha256: string }} archive of Windows
 * @returns {Record<string, string>} the files of winget's repository, by name
 */
const wingetManifests = (version, repository, { url, sha256 }) => {
  const [owner = ""] = repository.split("/");
  const id = `${owner}.Stagedoor`;
  /** @param {string} kind @param {string[]} lines */
  const file = (kind, lines) =>
    [
      `# yaml-language-server: $schema=https://aka.ms/winget-manifest.${kind}.${WINGET}.schema.json`,
      `PackageIdentifier: ${id}`,
      `PackageVersion: ${version}`,
      ...lines,
      `ManifestType: ${kind}`,
      `ManifestVersion: ${WINGET}`,
      "",
    ].join("\n");
  return {
    [`${id}.yaml`]: file("version", ["DefaultLocale: en-US"]),
    [`${id}.installer.yaml`]: file("installer", [
      "InstallerType: zip",
      "NestedInstallerType: portable",
      "NestedInstallerFiles:",
      "  - RelativeFilePath: stagedoor.exe",
      "    PortableCommandAlias: stagedoor",
      "Installers:",
      "  - Architecture: x64",
      `    InstallerUrl: ${url}`,
      `    InstallerSha256: "${sha256.toUpperCase()}"`,
    ]),
    [`${id}.locale.en-US.yaml`]: file("defaultLocale", [
      "PackageLocale: en-US",
      `Publisher: ${owner}`,
      "PackageName: Stagedoor",
      `PackageUrl: https://github.com/${repository}`,
      "License: MIT",
      `ShortDescription: ${DESCRIPTION}`,
    ]),
  };
};

/**
 * @param {string} version
 * @param {string} repository `owner/name`
 * @param {string} sums lines of `sha256sum`
 * @returns {{ formula: string, manifest: string, winget: Record<string, string> }} `winget`: files by name
 * @throws {Error} if an archive has no sum
 */
export const packageManifests = (version, repository, sums) => {
  const homepage = `https://github.com/${repository}`;
  /** @param {string} target */
  const archiveOf = (target) => {
    const name = archiveName(version, target);
    const line = sums.split("\n").find((text) => text.endsWith(` ${name}`) || text.endsWith(` *${name}`));
    const sha256 = /^[0-9a-f]{64}(?= )/.exec(line ?? "")?.[0];
    if (sha256 === undefined) throw new Error(`No SHA-256 sum of ${name}.`);
    return { url: `${homepage}/releases/download/v${version}/${name}`, sha256 };
  };
  /** @param {string} system @param {Record<string, string>} targets by processor */
  const block = (system, targets) => [
    `  on_${system} do`,
    ...Object.entries(targets).flatMap(([processor, target]) => {
      const { url, sha256 } = archiveOf(target);
      return [`    on_${processor} do`, `      url "${url}"`, `      sha256 "${sha256}"`, "    end"];
    }),
    "  end",
    "",
  ];
  const formula = [
    "class Stagedoor < Formula",
    `  desc "${DESCRIPTION}"`,
    `  homepage "${homepage}"`,
    `  version "${version}"`,
    '  license "MIT"',
    "",
    ...block("macos", { arm: "darwin-arm64", intel: "darwin-x64" }),
    ...block("linux", { arm: "linux-arm64", intel: "linux-x64" }),
    "  def install",
    '    bin.install "stagedoor"',
    '    generate_completions_from_executable(bin/"stagedoor", "completion")',
    "  end",
    "",
    "  test do",
    '    assert_match version.to_s, shell_output("#{bin}/stagedoor --version")',
    "  end",
    "end",
    "",
  ];
  const windows = archiveOf("win32-x64");
  const { url, sha256: hash } = windows;
  const manifest = {
    version,
    description: DESCRIPTION,
    homepage,
    license: "MIT",
    architecture: { "64bit": { url, hash } },
    bin: "stagedoor.exe",
    checkver: { github: homepage },
    autoupdate: { architecture: { "64bit": { url: url.replaceAll(version, "$version") } } },
  };
  return {
    formula: formula.join("\n"),
    manifest: `${JSON.stringify(manifest, null, 4)}\n`,
    winget: wingetManifests(version, repository, windows),
  };
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const [version = "", repository = "", sums = "", folder = ""] = argv.slice(2);
  const { formula, manifest, winget } = packageManifests(version, repository, readFileSync(sums, "utf8"));
  writeFileSync(join(folder, "stagedoor.rb"), formula);
  writeFileSync(join(folder, "stagedoor.json"), manifest);
  for (const [name, text] of Object.entries(winget)) writeFileSync(join(folder, name), text);
}
