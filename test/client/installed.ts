/** The package as published, in an otherwise empty directory. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The top of the checkout. */
export const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** A directory with the package in its node_modules. */
export interface Installed {
  readonly dir: string;
  /** Writes files into it, by path. */
  write(files: Readonly<Record<string, string>>): Promise<void>;
  /** Runs Node in it. @returns its output. @throws Error with the output if it fails. */
  node(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  remove(): Promise<void>;
}

/** Packs the build and unpacks it where npm would. */
export const installPacked = async (): Promise<Installed> => {
  const dir = await realpath(await mkdtemp(join(tmpdir(), "stagedoor-installed-")));
  // The tests have built it; --ignore-scripts skips another build.
  const pack = ["pack", "--ignore-scripts", "--silent", "--pack-destination", dir];
  await run("npm", pack, { cwd: CHECKOUT, shell: process.platform === "win32" });
  const archive = (await readdir(dir)).find((name) => name.endsWith(".tgz")) ?? "";
  await run("tar", ["-xzf", archive], { cwd: dir });
  await mkdir(join(dir, "node_modules"));
  await rename(join(dir, "package"), join(dir, "node_modules/stagedoor"));
  await rm(join(dir, archive));
  const clean = Object.entries(process.env).filter(([name]) => !/^(STAGEDOOR_|VITEST|NODE_ENV$)/.test(name));
  return {
    dir,
    write: async (files) => {
      for (const [path, text] of Object.entries(files)) {
        await mkdir(dirname(join(dir, path)), { recursive: true });
        await writeFile(join(dir, path), text);
      }
    },
    node: async (args, env = {}) => {
      const given = { cwd: dir, env: { ...Object.fromEntries(clean), ...env } };
      try {
        return (await run(process.execPath, [...args], given)).stdout;
      } catch (error) {
        if (!(error instanceof Error) || !("stdout" in error) || !("stderr" in error)) throw error;
        throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
      }
    },
    remove: () => rm(dir, { recursive: true, force: true }),
  };
};
