/** The feature of dev containers: what its tools read, and its script, against the files of a release in a folder. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { CHECKOUT } from "./git.ts";

const FEATURE = join(CHECKOUT, "docs/deploy/devcontainer/stagedoor");

/** The part of devContainerFeature.schema.json for these fields. */
const text = { type: "string" };
const schema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "version"],
  properties: {
    ...{ id: { const: "stagedoor" }, version: text, name: text, description: text },
    ...{ documentationURL: text, licenseURL: text, installsAfter: { type: "array", items: text } },
    options: {
      type: "object",
      additionalProperties: {
        type: "object",
        additionalProperties: false,
        required: ["type", "default"],
        properties: {
          ...{ type: { const: "string" }, default: text, description: text },
          proposals: { type: "array", items: text },
        },
      },
    },
  },
};

test("its metadata is what the schema asks for, with the version of the package", async () => {
  const feature = JSON.parse(await readFile(join(FEATURE, "devcontainer-feature.json"), "utf8"));
  const isValid = new Ajv().compile(schema);
  expect(isValid(feature), JSON.stringify(isValid.errors)).toBe(true);
  expect(feature.version).toBe(JSON.parse(await readFile(join(CHECKOUT, "package.json"), "utf8")).version);
  const script = await readFile(join(FEATURE, "install.sh"), "utf8");
  expect(script).toContain(`\${RELEASES:-${feature.options.releases.default}}`);
  expect(script).toContain(`\${VERSION:-${feature.options.version.default}}`);
});

const ARCHIVE = `stagedoor-1.2.3-linux-${process.arch}.tar.gz`;

/** Lays out a release as its site does. @returns its folder */
const released = async ({ sum, place = "latest/download" }: { sum?: string; place?: string } = {}): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-feature-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const files = join(folder, place);
  await mkdir(files, { recursive: true });
  await writeFile(join(folder, "stagedoor"), "#!/bin/sh\necho 1.2.3\n");
  await chmod(join(folder, "stagedoor"), 0o755);
  spawnSync("tar", ["-czf", join(files, ARCHIVE), "-C", folder, "stagedoor"]);
  const digest = createHash("sha256")
    .update(await readFile(join(files, ARCHIVE)))
    .digest("hex");
  const other = "0".repeat(64);
  const lines = [
    `${other}  stagedoor-1.2.3.tgz`,
    `${other}  stagedoor-1.2.3-macos-x64.tar.gz`,
    `${sum ?? digest}  ${ARCHIVE}`,
  ];
  await writeFile(join(files, "SHA256SUMS"), `${lines.join("\n")}\n`);
  return folder;
};

const install = (folder: string, env: Record<string, string> = {}) => {
  const { status, stdout, stderr } = spawnSync("sh", [join(FEATURE, "install.sh")], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], RELEASES: `file://${folder}`, DESTINATION: join(folder, "bin"), ...env },
  });
  return { status, stdout, stderr };
};

beforeEach(({ skip }) => {
  skip(process.platform !== "linux" || spawnSync("curl", ["--version"]).status !== 0, "needs Linux and curl");
});

test("it installs the newest executable for this processor, or the version that is named", async () => {
  const newest = await released();
  expect(install(newest)).toEqual({ status: 0, stdout: "Installed Stagedoor 1.2.3\n", stderr: "" });
  expect((await stat(join(newest, "bin/stagedoor"))).mode & 0o777).toBe(0o755);
  const named = await released({ place: "download/v1.2.3" });
  expect(install(named, { VERSION: "1.2.3" }).status).toBe(0);
});

test("it installs nothing with another checksum, and says what is missing", async () => {
  const wrong = await released({ sum: "1".repeat(64) });
  expect(install(wrong)).toMatchObject({
    status: 1,
    stderr: `stagedoor: ${ARCHIVE} has another checksum than SHA256SUMS says.\n`,
  });
  await expect(stat(join(wrong, "bin/stagedoor"))).rejects.toThrow("ENOENT");
  expect(install(await released({ place: "elsewhere" })).stderr).toContain("/latest/download/SHA256SUMS could not be");
});
