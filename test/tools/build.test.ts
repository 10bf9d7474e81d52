/** A build: swapped in as a whole, with a bill of materials. */
import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { billOfMaterials } from "../../tools/bill-of-materials.mjs";
import { buildBeside } from "../../tools/swap.mjs";

let top = "";
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "stagedoor-build-"));
});
afterEach(() => rm(top, { recursive: true, force: true }));

const write = async (path: string, text: string): Promise<void> => {
  await mkdir(join(top, path, ".."), { recursive: true });
  await writeFile(join(top, path), text);
};

describe("a build", () => {
  test("replaces the previous one completely", async () => {
    await write("server/cli.js", "old");
    await write("server/chunks/old.js", "old");
    await buildBeside(top, ["server", "main"], async (to) => {
      await mkdir(join(to, "server"), { recursive: true });
      await mkdir(join(to, "main"));
      await writeFile(join(to, "server/cli.js"), "new");
      // The previous build stays usable until the end.
      expect(await readFile(join(top, "server/cli.js"), "utf8")).toBe("old");
    });
    expect((await readdir(top, { recursive: true })).sort()).toEqual(["main", "server", join("server", "cli.js")]);
    expect(await readFile(join(top, "server/cli.js"), "utf8")).toBe("new");
  });

  test("leaves the previous one in place when it fails", async () => {
    await write("server/cli.js", "old");
    const fail = async (to: string): Promise<void> => {
      await mkdir(join(to, "server"), { recursive: true });
      await writeFile(join(to, "server/cli.js"), "half");
      throw new Error("syntax error");
    };
    await expect(buildBeside(top, ["server"], fail)).rejects.toThrow("syntax error");
    // A part that builds only one of its two directories has failed, too.
    await expect(buildBeside(top, ["main", "server"], async () => undefined)).rejects.toThrow("ENOENT");
    expect((await readdir(top, { recursive: true })).sort()).toEqual(["server", join("server", "cli.js")]);
    expect(await readFile(join(top, "server/cli.js"), "utf8")).toBe("old");
  });
});

describe("the bill of materials", () => {
  const billOf = async (manifest: object, licence?: string) => {
    await write("package.json", JSON.stringify({ name: "own", version: "1.0.0", license: "MIT" }));
    const integrity = `sha512-${Buffer.from("digest").toString("base64")}`;
    await write("package-lock.json", JSON.stringify({ packages: { "node_modules/@a/b": { integrity } } }));
    await write("node_modules/@a/b/package.json", JSON.stringify({ name: "@a/b", version: "2.0.0", ...manifest }));
    if (licence !== undefined) await write("node_modules/@a/b/LICENCE.md", licence);
    return await billOfMaterials(top, ["node_modules/@a/b"]);
  };

  test("lists each package with version, licence, digest and licence text", async () => {
    const { licences, sbom } = await billOf({ license: "ISC" }, "Permission to use it\r\n");
    expect(licences).toContain("@a/b 2.0.0 (ISC)\n\nPermission to use it\n");
    expect(JSON.parse(sbom)).toMatchObject({
      ...{ bomFormat: "CycloneDX", specVersion: "1.6", metadata: { component: { name: "own", version: "1.0.0" } } },
      components: [
        {
          ...{ type: "library", group: "@a", name: "b", version: "2.0.0", purl: "pkg:npm/%40a/b@2.0.0" },
          licenses: [{ license: { id: "ISC" } }],
          hashes: [{ alg: "SHA-512", content: Buffer.from("digest").toString("hex") }],
        },
      ],
      dependencies: [{ ref: "pkg:npm/own@1.0.0", dependsOn: ["pkg:npm/%40a/b@2.0.0"] }],
    });
  });

  test("uses the standard text for a package that ships none, and rejects one without a known licence", async () => {
    expect((await billOf({ license: "MIT", author: "Ada" })).licences).toMatch(
      /Copyright \(c\) Ada\n\nMIT License\n\nPermission is hereby granted/,
    );
    await expect(billOf({ license: "Secret-1.0" })).rejects.toThrow("Secret-1.0");
    await expect(billOf({})).rejects.toThrow("@a/b names no licence");
  });
});

test.each([
  ["start", "built", "a#b"],
  ["build", "built", "a#b"],
  ["test", "built", "a#b"],
  ["test", "tested", "a%b"],
])("npm run %s where the checkout cannot be %s, in %s, is one sentence", async (name, done, folder) => {
  const tools = join(top, folder, "tools");
  await cp(fileURLToPath(new URL("../../tools", import.meta.url)), tools, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(tools, `${name}.mjs`)], { encoding: "utf8" });
  expect([status, stdout]).toEqual([1, ""]);
  const [line = "", ...more] = stderr.trimEnd().split("\n");
  expect(more).toEqual([]);
  expect(line.slice(0, line.indexOf(" in "))).toBe(`Stagedoor cannot be ${done}`);
  expect(line).toContain(`${folder}/: rename the folder that has "${folder[1]}" in its name.`);
});
