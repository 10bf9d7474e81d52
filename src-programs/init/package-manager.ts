/** The package manager of a project, by its lock file, and the lines that install this package with it. */
import { existsSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { IS_SINGLE, programFile } from "#server/program-files.ts";

/** Whether npm's registry has this package under its name. Until then a checkout packs it. */
const IS_PUBLISHED: boolean = false;

/** What each begins a line with. */
interface PackageManager {
  readonly locks: readonly string[];
  /** Adds a development dependency. */
  readonly add: string;
  /** Runs a script of package.json. */
  readonly run: string;
  /** Runs a command of an installed package. */
  readonly exec: string;
}

const NPM: PackageManager = {
  locks: ["package-lock.json"],
  add: "npm install --save-dev",
  run: "npm run",
  exec: "npx",
};
const MANAGERS: readonly PackageManager[] = [
  { locks: ["pnpm-lock.yaml"], add: "pnpm add --save-dev", run: "pnpm run", exec: "pnpm exec" },
  { locks: ["yarn.lock"], add: "yarn add --dev", run: "yarn run", exec: "yarn run" },
  { locks: ["bun.lock", "bun.lockb"], add: "bun add --dev", run: "bun run", exec: "bunx" },
  NPM,
];

/** @returns the package manager of the folder: that of the nearest lock file, in a workspace that of its top; npm without one. */
export const packageManager = (folder = resolve(".")): PackageManager => {
  const found = MANAGERS.find(({ locks }) => locks.some((lock) => existsSync(join(folder, lock))));
  if (found !== undefined) return found;
  const parent = dirname(folder);
  return parent === folder || existsSync(join(folder, ".git")) ? NPM : packageManager(parent);
};

/** @returns what to type to install this package in the folder of the process; nothing where `stagedoor` is one executable. */
export const installLines = ({ add }: PackageManager, version: string): readonly string[] => {
  if (IS_PUBLISHED) return [`${add} stagedoor`];
  if (IS_SINGLE) return [];
  const checkout = programFile("");
  const isCheckout = existsSync(join(checkout, "tools/package-readme.mjs"));
  return [...(isCheckout ? [`npm pack ${relative(".", checkout)}`] : []), `${add} ./stagedoor-${version}.tgz`];
};
