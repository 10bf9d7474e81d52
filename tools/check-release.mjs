/**
 * `node tools/check-release.mjs v1.2.3 [owner/name [notes.md]]`: checks that tag, package.json, lock file and
 * CHANGELOG.md agree. Prints `version=` and `channel=` for later steps; writes release notes to the last file.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";
import { repositoryOf } from "./set-repository.mjs";

/**
 * @param {string} changelog
 * @param {string} title of a section, without its date
 * @returns {{ date: string | undefined, text: string } | undefined} the section
 */
export const sectionOf = (changelog, title) => {
  const section = changelog.split(/^## /m).find((part) => part.split(/[ \n]/, 1)[0] === title);
  if (section === undefined) return undefined;
  const [head = "", ...lines] = section.split("\n");
  return { date: /^\S+ - (\d{4}-\d{2}-\d{2})$/.exec(head)?.[1], text: lines.join("\n").trim() };
};

/**
 * @param {{ tag: string, repository?: string | undefined, manifest: string, lock: string, changelog: string }} given
 * @returns {{ version: string, channel: "latest" | "next", notes: string, problems: string[] }}
 */
export const checkRelease = ({ tag, repository, manifest, lock, changelog }) => {
  const { version } = JSON.parse(manifest);
  const locked = JSON.parse(lock);
  const section = sectionOf(changelog, version);
  const problems = [];
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but package.json says ${version}.`);
  if (locked.version !== version || locked.packages[""].version !== version)
    problems.push(`package-lock.json says ${locked.version}. Run npm install.`);
  if (repository !== undefined && repositoryOf(manifest) !== repository)
    problems.push(`package.json names another repository. Run node tools/set-repository.mjs ${repository}.`);
  if (section?.date === undefined) problems.push(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD".`);
  else if (section.text === "") problems.push(`CHANGELOG.md says nothing about ${version}.`);
  if (sectionOf(changelog, "Unreleased")?.text !== "")
    problems.push(`CHANGELOG.md: move what is under "## Unreleased" to the section of ${version}, and keep the title.`);
  return { version, channel: version.includes("-") ? "next" : "latest", notes: section?.text ?? "", problems };
};

if (import.meta.url === pathToFileURL(argv[1] ?? "").href) {
  const [tag = "", repository, notesFile] = argv.slice(2);
  const read = (/** @type {string} */ name) =>
    readFileSync(join(fileURLToPath(new URL("..", import.meta.url)), name), "utf8");
  const [manifest, lock, changelog] = [read("package.json"), read("package-lock.json"), read("CHANGELOG.md")];
  const { version, channel, notes, problems } = checkRelease({ tag, repository, manifest, lock, changelog });
  for (const problem of problems) console.error(problem);
  if (problems.length === 0) {
    if (notesFile !== undefined) writeFileSync(notesFile, `${notes}\n`);
    console.log(`version=${version}\nchannel=${channel}`);
  } else process.exitCode = 1;
}
