/**
 * Type-checks every room, in parallel, or only the named ones: `npm run typecheck -- domain`. Rooms with the same globals
 * are one program of the compiler, which reads what they share once; no room sees globals that its own tsconfig lacks:
 * this is how the compiler guards the walls.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "./build.mjs";

/** Folder of a tsconfig → the rooms that it takes in. @type {Record<string, string[]>} */
const PROGRAMS = {
  test: ["test"],
  "src-server": ["tokens", "certificates", "store", "http", "features", "programs", "server"],
  ".": ["tools"],
  "src-renderer": ["renderer"],
  "src-server/tsconfig.pure.json": ["contract", "domain", "people", "conform"],
  "src-demo": ["demo"],
  "src-client": ["client"],
  "src-client/frameworks": ["frameworks"],
  "src-main": ["main"],
};

/** Rare garbage collection saves a fifth of the compiler's time, for a tenth more memory. */
const env = { GOGC: "400", ...process.env };

/** Errors that were printed. A file that several rooms share is checked, and found wrong, once for each. @type {Set<string>} */
const printed = new Set();

/**
 * @param {string} folder of a tsconfig, or its file
 * @param {string[]} rooms the first names what the compiler remembers
 * @returns {Promise<boolean>} whether the rooms are free of errors
 */
const check = async (folder, [room = ""]) => {
  // Incremental, so that the next run only checks what has changed.
  const memory = ["--incremental", "--tsBuildInfoFile", join(ROOT, `node_modules/.cache/types/${room}.tsbuildinfo`)];
  // The programs already use all cores; several checkers in one would only repeat each other's work.
  const options = ["--singleThreaded", "--pretty", "false", ...memory];
  const args = [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", folder, ...options];
  const tsc = spawn(process.execPath, args, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], env });
  const ended = once(tsc, "close");
  // An error is a line, and indented lines that explain it.
  for (const error of (await text(tsc.stdout)).trimEnd().split(/\n(?! )/)) {
    if (error !== "" && !printed.has(error)) console.log(error);
    printed.add(error);
  }
  return (await ended)[0] === 0;
};

const named = process.argv.slice(2);
const all = Object.values(PROGRAMS).flat();
const unknown = named.filter((room) => !all.includes(room));
if (unknown.length > 0) console.error(`No such room: ${unknown.join(", ")}. There are ${all.join(", ")}.`);
const queue = Object.entries(PROGRAMS).filter(
  ([, rooms]) => named.length === 0 || rooms.some((room) => named.includes(room)),
);
let clean = unknown.length === 0;
const worker = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) if (!(await check(...next))) clean = false;
};
await Promise.all(Array.from({ length: availableParallelism() }, worker));
process.exitCode = clean ? 0 : 1;
