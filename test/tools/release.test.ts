/** The checks of a release, and the single place of the repository's name. */
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkRelease, sectionOf } from "../../tools/check-release.mjs";
import { FILES, IMAGE, repositoryOf, setRepository } from "../../tools/set-repository.mjs";
import { CHECKOUT, gitList, NO_GIT } from "./git.ts";

const read = (name: string): Promise<string> => readFile(join(CHECKOUT, name), "utf8");

const manifest = JSON.stringify({ version: "1.2.3", repository: { url: "git+https://github.com/ada/door.git" } });
const lock = JSON.stringify({ version: "1.2.3", packages: { "": { version: "1.2.3" } } });
const changelog =
  "# Changelog\n\n## Unreleased\n\n## 1.2.3 - 2027-01-31\n\n- New.\n\n## 1.2.2 - 2027-01-01\n\n- Old.\n";
const given = { tag: "v1.2.3", repository: "ada/door", manifest, lock, changelog };

test("accepts a release with matching tag, versions, repository and changelog", () => {
  expect(checkRelease(given)).toEqual({ version: "1.2.3", channel: "latest", notes: "- New.", problems: [] });
  const next = (text: string): string => text.replaceAll("1.2.3", "1.3.0-beta.1");
  const beta = { tag: "v1.3.0-beta.1", manifest: next(manifest), lock: next(lock), changelog: next(changelog) };
  expect(checkRelease(beta)).toMatchObject({ channel: "next", problems: [] });
});

test.each([
  ["another tag", { tag: "v1.2.4" }, "The tag is v1.2.4"],
  ["a lock file of another version", { lock: lock.replaceAll("1.2.3", "1.2.2") }, "package-lock.json says 1.2.2"],
  ["another repository", { repository: "eve/door" }, "node tools/set-repository.mjs eve/door"],
  ["no changelog section", { changelog: changelog.replace("## 1.2.3 ", "## 1.2.5 ") }, "has no section"],
  ["no date", { changelog: changelog.replace(" - 2027-01-31", "") }, "has no section"],
  ["an empty section", { changelog: changelog.replace("- New.", "") }, "says nothing about 1.2.3"],
  [
    "unreleased lines",
    { changelog: changelog.replace("Unreleased\n", "Unreleased\n\n- More.\n") },
    "move what is under",
  ],
])("rejects a release with %s", (_what, change, problem) => {
  expect(checkRelease({ ...given, ...change }).problems).toEqual([expect.stringContaining(problem)]);
});

test("the version is in package.json, the lock file and, once released, the changelog", async () => {
  const { version } = JSON.parse(await read("package.json"));
  expect(JSON.parse(await read("package-lock.json")).version).toBe(version);
  expect(sectionOf(await read("CHANGELOG.md"), "Unreleased")).toBeDefined();
});

test("the entry in the MCP registry is that of the package: its name, its version, and how it starts", async () => {
  const { name, version, mcpName } = JSON.parse(await read("package.json"));
  const entry = JSON.parse(await read("server.json"));
  expect(entry).toMatchObject({ name: mcpName, version });
  expect(mcpName).toBe(`io.github.${repositoryOf(await read("package.json"))}`);
  expect(entry.packages).toEqual([
    {
      registryType: "npm",
      identifier: name,
      version,
      transport: { type: "stdio" },
      packageArguments: [{ type: "positional", value: "mcp" }],
    },
  ]);
  // The registry takes no longer ones.
  expect(entry.description.length).toBeLessThanOrEqual(100);
});

test("`npm version` sets the version of that entry", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-version-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of [...FILES, IMAGE]) await cp(join(CHECKOUT, file), join(folder, file));
  const manifest = JSON.parse(await read("package.json"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ ...manifest, version: "7.8.9" }));
  const feature = "docs/deploy/devcontainer/stagedoor/devcontainer-feature.json";
  expect(setRepository(folder)).toEqual(["server.json", feature, IMAGE]);
  expect(JSON.parse(await readFile(join(folder, feature), "utf8")).version).toBe("7.8.9");
  const entry = JSON.parse(await readFile(join(folder, "server.json"), "utf8"));
  expect([entry.version, entry.packages[0].version]).toEqual(["7.8.9", "7.8.9"]);
  for (const file of ["server.json", "docs/deploy/devcontainer"]) expect(manifest.scripts.version).toContain(file);
});

test("one script sets the repository's name in the files that it lists", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-repository-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const file of [...FILES, IMAGE]) await cp(join(CHECKOUT, file), join(folder, file));
  const old = repositoryOf(await read("package.json"));
  expect(setRepository(folder)).toEqual([]);
  expect(setRepository(folder, "Ada/back-door")).toEqual([...FILES, IMAGE]);
  expect(setRepository(folder, "ada/back-door")).toEqual(FILES);
  expect(setRepository(folder)).toEqual([]);
  expect(await readFile(join(folder, IMAGE), "utf8")).toContain("newName: ghcr.io/ada/back-door\n");
  for (const file of FILES) {
    const text = await readFile(join(folder, file), "utf8");
    expect(text).toContain("github.com/ada/back-door");
    expect(text).not.toContain(`github.com/${old}`);
    expect(text).not.toContain(`io.github.${old}`);
  }
  expect(() => setRepository(folder, "https://github.com/ada/door")).toThrow("Expected owner/name");
});

test("no other file has the repository's name", async ({ skip }) => {
  const named = `github.com/${repositoryOf(await read("package.json"))}`;
  const tracked = gitList("grep", "-lzF", named) ?? skip(NO_GIT);
  expect(tracked.sort()).toEqual([...FILES].sort());
});
