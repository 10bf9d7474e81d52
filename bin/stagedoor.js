#!/usr/bin/env node
// The command. npx links what `bin` names, and remembers it, so this file is there before a checkout is built.
import { existsSync } from "node:fs";

const built = new URL("../dist/server/cli.js", import.meta.url);
if (existsSync(built)) await import(built.href);
else {
  process.stderr.write(
    `Stagedoor is not built in this checkout. Run: npm start -- ${process.argv.slice(2).join(" ") || "--help"}\n` +
      "That builds it first; afterwards npx stagedoor works too.\n",
  );
  process.exitCode = 1;
}
