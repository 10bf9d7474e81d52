import { spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What the compiler reads of a checkout. */
const READ = /^(src-.*|test|tools|fixtures|package\.json|vitest\.config\.ts|tsconfig.*\.json)$/;
/** Tests import all but the screens of the console, which they meet in a browser. */
const ROOMS = ["test", "renderer"];

/** A copy of the sources to make changes in. */
export interface Copy {
  /** Applies a unified diff; line numbers do not count. Rejects if what it replaces is not there once. */
  apply(patch: string): Promise<void>;
  /** @returns the files with errors of the compiler, relative to the checkout, sorted. */
  filesWithErrors(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** @returns a copy outside the checkout, with its own links to the packages and its own cache of the compiler. */
export const copySources = async (): Promise<Copy> => {
  const top = await mkdtemp(join(tmpdir(), "stagedoor-change-"));
  for (const name of await readdir(ROOT))
    if (READ.test(name)) await cp(join(ROOT, name), join(top, name), { recursive: true });
  await mkdir(join(top, "node_modules"));
  for (const name of await readdir(join(ROOT, "node_modules")))
    if (!name.startsWith("."))
      await symlink(join(ROOT, "node_modules", name), join(top, "node_modules", name), "junction");

  const apply = async (patch: string): Promise<void> => {
    for (const part of patch.split(/^--- a\/.*\n\+\+\+ b\//m).slice(1)) {
      const [path = "", ...hunks] = part.split(/\n@@.*(?=\n)/);
      const file = join(top, path);
      let text = await readFile(file, "utf8").catch(() => undefined);
      for (const hunk of hunks) {
        const side = (sign: string): string =>
          hunk
            .split("\n")
            .filter((line) => line === "" || line.startsWith(" ") || line.startsWith(sign))
            .map((line) => line.slice(1))
            .join("\n")
            .trimEnd();
        // A new file: nothing is replaced.
        if (text === undefined) {
          await mkdir(dirname(file), { recursive: true });
          text = side("-");
        }
        if (text !== side("-") && text.split(side("-")).length !== 2)
          throw new Error(`${path} has this not once:\n${side("-")}`);
        text = text.replace(side("-"), () => side("+"));
      }
      if (text === undefined || text === "") await rm(file, { force: true });
      else await writeFile(file, text);
    }
  };
  return {
    apply,
    filesWithErrors: async () => {
      const args = ["tools/typecheck.mjs", ...ROOMS];
      const said = await text(spawn(process.execPath, args, { cwd: top, stdio: ["ignore", "pipe", "inherit"] }).stdout);
      return [...new Set([...said.matchAll(/^(\S+)\(\d+,\d+\): error TS/gm)].map(([, path = ""]) => path))].sort();
    },
    remove: () => rm(top, { recursive: true, force: true }),
  };
};
