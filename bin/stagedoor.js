#!/usr/bin/env node
// The command. npx links what `bin` names, and remembers it, so this file is there before a checkout is built: then it
// builds it first, as `npm start` does.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = new URL("../dist/server/cli.js", import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  const start = fileURLToPath(new URL("../tools/start.mjs", import.meta.url));
  process.exitCode = spawnSync(process.execPath, [start, ...process.argv.slice(2)], { stdio: "inherit" }).status ?? 1;
}
