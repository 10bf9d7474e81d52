/**
 * `npm run packed`: the package as published, in a fresh project with its users' tools. It needs the npm registry and
 * some minutes, so it is not part of `npm run test:all`.
 */
import { spawn } from "node:child_process";
import { cp, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const MOST_BYTES = 1_250_000;
const WORKERS = 8;
const TOOLS = [
  ...["jest@30", "babel-jest@30", "@babel/core", "@babel/preset-env", "ts-jest@29", "@types/jest@30", "@types/node@20"],
  ...["typescript@5.9", "vitest@4", "@playwright/test@1", "publint", "@arethetypeswrong/cli"],
];

const dir = await realpath(await mkdtemp(join(tmpdir(), "stagedoor-project-")));
const clean = Object.entries(process.env).filter(([name]) => !/^(STAGEDOOR_|VITEST|NODE_ENV$|npm_)/.test(name));

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {string} [cwd]
 * @returns {Promise<string>} its output
 * @throws Error with the output if it fails
 */
const run = (program, args, cwd = dir) =>
  new Promise((resolve, reject) => {
    const env = { ...Object.fromEntries(clean), CI: "1", NO_COLOR: "1" };
    const child = spawn(program, args, { cwd, env, shell: process.platform === "win32" });
    let printed = "";
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    child.on("error", reject);
    child.on("close", (code) => (code === 0 ? resolve(printed) : reject(new Error(printed || `exit status ${code}`))));
  });
/** @param {string} name @param {string[]} args */
const npx = (name, ...args) => run("npx", ["--no-install", name, ...args]);

let failures = 0;
/**
 * @param {string} name
 * @param {() => Promise<string | void>} step returns what to print next to its duration
 */
const step = async (name, step) => {
  const start = performance.now();
  const time = () => `${((performance.now() - start) / 1_000).toFixed(1)} s`.padStart(8);
  try {
    const note = await step();
    console.log(`✓ ${time()}  ${name}${note ? `: ${note}` : ""}`);
  } catch (error) {
    failures++;
    console.log(`✗ ${time()}  ${name}\n${error instanceof Error ? error.message : error}`);
  }
};

/** @param {string} folder @param {(worker: number) => string} text @param {string} ending */
const writeTests = async (folder, ending, text) => {
  for (let worker = 1; worker <= WORKERS; worker++)
    await writeFile(join(dir, folder, `worker-${worker}.${ending}`), text(worker));
};
/** @param {string} printed @param {RegExp} pattern @returns {string} */
const find = (printed, pattern) => {
  const found = pattern.exec(printed)?.[0];
  if (found === undefined) throw new Error(`Expected ${pattern} in:\n${printed}`);
  return found.trim();
};

await cp(fileURLToPath(new URL("project", import.meta.url)), dir, { recursive: true });
let archive = "";
await step("npm pack", async () => {
  await run("npm", ["pack", "--silent", "--pack-destination", dir], CHECKOUT);
  archive = join(dir, (await readdir(dir)).find((name) => name.endsWith(".tgz")) ?? "");
  const { size } = await stat(archive);
  if (size >= MOST_BYTES) throw new Error(`The tarball has ${size} bytes, and may have ${MOST_BYTES}.`);
  return `${size} bytes`;
});
await step("npm install of the package alone", async () => {
  await run("npm", ["install", "--no-audit", "--no-fund", archive]);
  const installed = (await readdir(join(dir, "node_modules"))).filter((name) => !name.startsWith("."));
  if (installed.join() !== "stagedoor") throw new Error(`It brought ${installed.join(", ")}.`);
  return "nothing else";
});
await step("npm install of the tools", async () => {
  await run("npm", ["install", "--no-audit", "--no-fund", "--save-dev", ...TOOLS]);
});

await step("publint", async () => find(await npx("publint", "--strict", archive), /All good!/));
await step("are the types wrong", async () => find(await npx("attw", archive), /No problems found/));
for (const name of ["node10", "node16", "node16-esm", "nodenext", "bundler"])
  await step(`tsc 5.9, ${name}`, async () => void (await npx("tsc", "-p", `types/tsconfig.${name}.json`)));

for (const node of ["18", "24"])
  await step(`tsc 5.2, which checks the declarations too, with @types/node ${node}`, async () => {
    const packages = ["typescript-5.2@npm:typescript@5.2", `@types/node@${node}`];
    await run("npm", ["install", "--no-audit", "--no-fund", "--save-dev", ...packages]);
    const config = JSON.stringify({
      extends: "./tsconfig.nodenext.json",
      compilerOptions: { skipLibCheck: false, lib: ["es2022"] },
      files: ["client.ts"],
    });
    await writeFile(join(dir, "types/tsconfig.oldest.json"), config);
    await run("node", ["node_modules/typescript-5.2/bin/tsc", "-p", "types/tsconfig.oldest.json"]);
  });

await step("node:test, 8 files", async () => {
  const files = Array.from({ length: WORKERS }, (_, i) => `node/worker-${i + 1}.test.mjs`);
  await writeTests("node", "test.mjs", (worker) => `import { check } from "./check.mjs";\ncheck(${worker});\n`);
  const test = ["node", "--test", `--test-concurrency=${WORKERS}`, ...files];
  return find(await npx("stagedoor", "exec", "--", ...test), /pass 8/);
});
await step("Vitest, 8 workers", async () => {
  await writeTests("vitest", "test.ts", (worker) => `import { check } from "./check.ts";\ncheck(${worker});\n`);
  return find(await npx("vitest", "run", "--root", "vitest"), /Tests +8 passed/);
});
await step("Jest with babel-jest, CommonJS, 8 workers", async () => {
  await writeTests("jest-babel", "test.js", (worker) => `import { check } from "./check";\ncheck(${worker});\n`);
  return find(await npx("jest", "--config", "jest-babel/jest.config.js", "-w", "8"), /Tests: +8 passed/);
});
await step("Jest with ts-jest, 8 workers", async () => {
  await writeTests("jest-ts", "test.ts", (worker) => `import { check } from "./check";\ncheck(${worker});\n`);
  return find(await npx("jest", "--config", "jest-ts/jest.config.js", "-w", "8"), /Tests: +8 passed/);
});
await step("Playwright, 8 workers, one emulator", async () =>
  find(await npx("stagedoor", "exec", "--", "npx", "playwright", "test", "-c", "playwright"), /8 passed/),
);
await step("Playwright, 8 workers, an emulator each", async () =>
  find(await npx("playwright", "test", "-c", "playwright", "--grep-invert", "@together"), /8 passed/),
);

await rm(dir, { recursive: true, force: true });
process.exitCode = failures === 0 ? 0 : 1;
