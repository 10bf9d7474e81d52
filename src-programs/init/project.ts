/** The project in this folder, by its package.json. */
import { z } from "zod";
import { appId } from "#contract/service/apps.ts";
import { jsonWith } from "#contract/words/json-edit.ts";
import { readJson } from "#contract/words/json-text.ts";
import { readUserFile } from "#server/user-file.ts";
import { installLines, packageManager } from "./package-manager.ts";

/** The script, and what it starts: the data is that of the file at each start. */
export const SCRIPT_NAME = "stagedoor";
/** @see SCRIPT_NAME */
export const START = "stagedoor start --ephemeral --fixtures stagedoor.fixtures.jsonc --watch";

/** A project, and what becomes of its package.json. */
export interface Project {
  readonly appId: string;
  readonly schema: string;
  /** package.json with the script; undefined: it stays as it is. */
  readonly changed: string | undefined;
  /** Why it does, a sentence. */
  readonly kept: readonly string[];
  readonly next: readonly string[];
}

/** A folder without package.json. */
export const NO_PROJECT: Project = {
  appId: "my-app",
  schema: "./node_modules/stagedoor/fixtures/schema.json",
  changed: undefined,
  kept: [],
  next: [START],
};

const names = z.record(z.string(), z.unknown());
const packageFile = z.object({
  name: z.string().exactOptional(),
  scripts: names.exactOptional(),
  dependencies: names.exactOptional(),
  devDependencies: names.exactOptional(),
});

/** @param version of this program. @returns the project in the folder of the process; undefined: it has no package.json. */
export const readProject = (version: string): Project | undefined => {
  const bytes = readUserFile("package.json");
  if (typeof bytes === "string") return undefined;
  const text = bytes.toString("utf8");
  const read = readJson(text);
  const checked = packageFile.safeParse("error" in read ? undefined : read.value);
  if (!checked.success)
    return { ...NO_PROJECT, kept: ["package.json could not be read as that of a package, and stays as it is."] };
  const { name = "", scripts = {}, dependencies = {}, devDependencies = {} } = checked.data;
  if (name === SCRIPT_NAME)
    return {
      ...NO_PROJECT,
      schema: "./fixtures/schema.json",
      kept: ["package.json is that of Stagedoor, and stays as it is."],
    };
  const named = appId.safeParse(name.replace(/^@[^/]*\//, ""));
  const script = Object.hasOwn(scripts, SCRIPT_NAME) ? scripts[SCRIPT_NAME] : undefined;
  const isInstalled = Object.hasOwn({ ...dependencies, ...devDependencies }, "stagedoor");
  const manager = packageManager();
  const install = isInstalled ? [] : installLines(manager, version);
  const isOurs = script === undefined || (typeof script === "string" && /^stagedoor start\b/.test(script));
  return {
    ...NO_PROJECT,
    appId: named.success ? named.data : NO_PROJECT.appId,
    changed: script === undefined ? jsonWith(text, ["scripts", SCRIPT_NAME], START) : undefined,
    kept: script === undefined ? [] : [`package.json has a script "${SCRIPT_NAME}", which stays as it is.`],
    next: [...install, isOurs ? `${manager.run} ${SCRIPT_NAME}` : `${manager.exec} ${START}`],
  };
};
