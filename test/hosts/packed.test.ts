/** The package as published: the result of `npm pack`, unpacked into an empty directory. */
import { execFile, spawn } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { type ESTree, parseSync, Visitor } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { parseReadyLine } from "#test/support/ready.ts";
import pkg from "../../package.json" with { type: "json" };

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const isWindows = process.platform === "win32";
let folder = "";
let bytes = 0;
const at = (path: string): string => join(folder, "package", path);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-packed-"));
  // The tests have built it; --ignore-scripts skips another build.
  await run("npm", ["pack", "--ignore-scripts", "--silent", "--pack-destination", folder], {
    cwd: CHECKOUT,
    shell: isWindows,
  });
  const [archive = ""] = await readdir(folder);
  bytes = (await stat(join(folder, archive))).size;
  await run("tar", ["-xzf", archive], { cwd: folder });
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** @returns the string value of an expression, `?` if it is computed. */
const written = (node: ESTree.Argument): string => {
  if (node.type === "Literal") return String(node.value);
  return node.type === "TemplateLiteral" && node.expressions.length === 0 ? (node.quasis[0]?.value.raw ?? "") : "?";
};

/** @returns what a module imports, requires or re-exports. */
const importsOf = (name: string, text: string): string[] => {
  const { module, program } = parseSync(name, text);
  const found = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
  ];
  new Visitor({
    CallExpression: ({ callee, arguments: [argument] }) => {
      if (callee.type !== "Identifier" || !callee.name.endsWith("require")) return;
      found.push(argument === undefined ? "?" : written(argument));
    },
  }).visit(program);
  return found;
};

test("the published package starts in an empty directory without other packages", async () => {
  const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
  const args = [at(pkg.bin.stagedoor), "start", "--headless", "--json", "--ephemeral", ...ports];
  const server = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] });
  const ended = new Promise((resolve) => server.on("exit", resolve));
  const line = await new Promise<string>((resolve) => createInterface({ input: server.stdout }).once("line", resolve));
  const ready = parseReadyLine(line);
  expect(ready?.pid).toBe(server.pid);
  const page = await fetch(ready?.consoleUrl ?? "");
  expect(page.status).toBe(200);
  expect(await page.text()).toContain("Stagedoor");
  server.kill("SIGTERM");
  await ended;
});

const OLD = `data:text/javascript,${encodeURIComponent(
  "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })",
)}`;

test("an old Node gets one sentence and exit status 1", async () => {
  const args = ["--import", OLD, at(pkg.bin.stagedoor), "start"];
  const failed = await run(process.execPath, args).then(
    () => expect.fail("it started"),
    (error: unknown) => error,
  );
  const sentence = "Stagedoor needs Node 20.19 or newer, and this is Node 18.20.4.\n";
  expect(failed).toMatchObject({ code: 1, stdout: "", stderr: sentence });
});

test("an old Node gets the same sentence from stagedoor/testing", async () => {
  // Loaded like this, no module may want more than an old Node has before the sentence.
  const code = `const { startStagedoor } = await import(${JSON.stringify(pathToFileURL(at("dist/server/testing.js")).href)});
    await startStagedoor().catch((error) => console.log(error.message));`;
  const { stdout } = await run(process.execPath, ["--import", OLD, "--input-type=module", "-e", code]);
  expect(stdout).toBe("Stagedoor needs Node 20.19 or newer, and this is Node 18.20.4.\n");
  expect(await readFile(at("dist/server/testing.js"), "utf8")).not.toMatch(/^import /m);
});

test("before a build the command builds, with what was typed behind it", async () => {
  const unbuilt = join(folder, "unbuilt");
  await cp(at(pkg.bin.stagedoor), join(unbuilt, pkg.bin.stagedoor));
  await cp(at("package.json"), join(unbuilt, "package.json"));
  await mkdir(join(unbuilt, "tools"));
  await writeFile(join(unbuilt, "tools/start.mjs"), "console.log(process.argv.slice(2).join());");
  const { stdout } = await run(process.execPath, [join(unbuilt, pkg.bin.stagedoor), "stage", "--lan"]);
  expect(stdout).toBe("stage,--lan\n");
});

describe("the published package contains", () => {
  test("server, console, modules and fixtures in less than 1.5 MB, and no sources, tests or pictures", async () => {
    const top = await readdir(at(""));
    expect(top.sort()).toEqual(
      [
        "LICENSE",
        "README.md",
        "bin",
        "client",
        "config.schema.json",
        "dist",
        "fixtures",
        "package.json",
        "skills",
      ].sort(),
    );
    expect((await readdir(at("dist"))).sort()).toEqual(
      ["THIRD-PARTY-LICENSES.txt", "client", "frameworks", "renderer", "sbom.cdx.json", "server"].sort(),
    );
    // For its owner: what others may do depends on the umask of whoever unpacks it.
    expect((await stat(at(pkg.bin.stagedoor))).mode & 0o100).toBe(isWindows ? 0 : 0o100);
    // A download of a second at 10 Mbit/s. The rules of phone numbers of all countries are in it twice, for the command
    // line and the console. What grows it beyond that should be worth a part of a second of everybody's time.
    expect(bytes).toBeLessThan(1_500_000);
  });

  test("code that imports only Node's own modules, and no dependencies", async () => {
    for (const kind of ["dependencies", "optionalDependencies", "bundledDependencies"])
      expect(pkg).not.toHaveProperty(kind);
    const allowed = new Set([...builtinModules, "stagedoor/client", "stagedoor/testing"]);
    const files = (await readdir(at("dist"), { recursive: true })).filter((name) => /\.c?js$/.test(name));
    expect(files.length).toBeGreaterThan(20);
    const strangers: string[] = [];
    for (const name of files)
      for (const found of importsOf(name, await readFile(at(join("dist", name)), "utf8")))
        if (!/^(\.|node:)/.test(found) && !allowed.has(found)) strangers.push(`${basename(name)}: ${found}`);
    expect(strangers.sort()).toEqual([
      "playwright.cjs: @playwright/test",
      ...Array<string>(2).fill("playwright.js: @playwright/test"),
      // From Express, for template engines, which are unused.
      expect.stringMatching(/^server-.*\.js: \?$/),
    ]);
  });

  test("the licences of everything bundled, fonts included, and a matching bill of materials", async () => {
    const component = z.object({
      ...{ group: z.string().optional(), name: z.string(), version: z.string(), purl: z.string() },
      licenses: z.array(z.object({ license: z.object({ id: z.string().min(2) }) })).length(1),
      hashes: z.array(z.object({ content: z.string().length(128) })).optional(),
    });
    const sbom = z.object({ bomFormat: z.literal("CycloneDX"), components: z.array(component) });
    const { components } = sbom.parse(JSON.parse(await readFile(at("dist/sbom.cdx.json"), "utf8")));
    const licences = await readFile(at("dist/THIRD-PARTY-LICENSES.txt"), "utf8");
    const names = components.map(({ group, name }) => (group === undefined ? name : `${group}/${name}`));
    // From the server, the console, its fonts, certificates, and the bundler's additions.
    const some = [
      "express",
      "zod",
      "react",
      "@mantine/core",
      "@fontsource-variable/inter",
      "@peculiar/x509",
      "rolldown",
    ];
    expect(names).toEqual(expect.arrayContaining(some));
    // Electron ships its own licences; build tools are not shipped.
    for (const name of ["electron", "typescript", "vitest"]) expect(names).not.toContain(name);
    for (const [index, name] of names.entries()) {
      const { version, licenses } = components[index] ?? { licenses: [] };
      expect(licences).toContain(`\n${name} ${version} (${licenses[0]?.license.id})\n`);
    }
    expect(licences).toContain("SIL OPEN FONT LICENSE");
  });
});
