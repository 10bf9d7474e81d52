/** Bundles the driver, which Node 20 cannot run directly, and starts it. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "vite";
import { afterAll, beforeAll } from "vitest";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A running driver and its output so far. */
export interface Driver {
  readonly child: ChildProcess;
  readonly said: () => string[];
  /** Its exit status, or the signal that ended it. */
  readonly ended: Promise<number | string>;
}

/** Bundles a driver before the tests of a file. @param driver from the top of the checkout. @returns how to start it; `limit` is the file size limit in KiB. */
export const useDriver = (
  driver = "test/store/driver.ts",
): ((command: string, dir: string, limit?: number) => Driver) => {
  let out = "";
  beforeAll(async () => {
    out = mkdtempSync(path.join(tmpdir(), "stagedoor-driver-"));
    await build({
      root: ROOT,
      configFile: false,
      logLevel: "error",
      build: {
        ssr: path.join(ROOT, driver),
        outDir: out,
        emptyOutDir: false,
        target: "node20",
        rollupOptions: { output: { entryFileNames: "driver.mjs" } },
      },
      ssr: { noExternal: true },
    });
  });
  afterAll(() => rmSync(out, { recursive: true, force: true }));
  return (command, dir, limit) => {
    const line = [process.execPath, path.join(out, "driver.mjs"), command, dir];
    const limited = ["/bin/sh", "-c", `ulimit -f ${(limit ?? 0) * 2}; exec "$@"`, "sh", ...line];
    const [program = "", ...rest] = limit === undefined ? line : limited;
    const child = spawn(program, rest, { stdio: ["pipe", "pipe", "pipe"] });
    let text = "";
    child.stdout.setEncoding("utf8").on("data", (more: string) => {
      text += more;
    });
    const ended = once(child, "close").then(([status, signal]) => Number(status ?? Number.NaN) || String(signal ?? 0));
    return { child, said: () => text.split("\n").slice(0, -1), ended };
  };
};

/** Waits until the condition holds. @throws Error after 30 s. */
export const until = async (isSo: () => boolean): Promise<void> => {
  for (const start = performance.now(); !isSo(); ) {
    if (performance.now() - start > 30_000) throw new Error("It did not come to be so.");
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};
