/**
 * The pages with commands: their blocks run as printed, each page in one shell against one server. A block whose output
 * the page shows prints exactly that; in any other, every command succeeds.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Built, CLI, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { freePort } from "#test/support/ports.ts";
import { printedPattern, stepsOf, TOURS } from "./tours.ts";

const CHECKOUT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const END = "--- end of a step ---";
/** Where the page shows no output, a refused request is a mistake of the page. */
const STRICT = `curl() { command curl -fsS "$@"; }; set -eo pipefail`;

describe.each(Object.entries(TOURS))("the commands of %s", (page, { before = "", files = {}, env = {} }) => {
  const steps = stepsOf(page);
  let dir = "";
  let server: Built;
  let printed: string[] = [];
  let errors = "";

  beforeAll(async () => {
    dir = await realpath(await mkdtemp(join(tmpdir(), "stagedoor-tour-")));
    const [tls, backend] = [await freePort(), await freePort()];
    const args = ["--ephemeral", "--auth-tls-port", `${tls}`, "--ca-dir", join(dir, "ca")];
    server = await startBuilt(args, { ...cleanEnv(), ...env });
    const { adminUrl, authUrl, consoleUrl } = server.ready;
    const own: Record<string, string> = { 4010: adminUrl, 4011: authUrl, 4012: consoleUrl };
    // In one pass: the port of an inserted URL may itself start with 4011.
    const here = (text: string): string =>
      text
        .replaceAll(/http:\/\/(?:127\.0\.0\.1|stagedoor):(401[012])\b/g, (url, port) => own[port] ?? url)
        .replaceAll(
          /http:\/\/localhost:(401[012])\b/g,
          (url, port) => own[port]?.replace("127.0.0.1", "localhost") ?? url,
        )
        .replaceAll("localhost:4013", `localhost:${tls}`)
        .replaceAll(/\b8080\b/g, `${backend}`);
    await mkdir(join(dir, "node_modules"));
    await symlink(CHECKOUT, join(dir, "node_modules/stagedoor"), "junction");
    for (const [name, text] of Object.entries(files)) await writeFile(join(dir, name), here(text));
    const script = [
      `stagedoor() { "${process.execPath}" "${CLI}" "$@"; }`,
      STRICT,
      before,
      ...steps.flatMap(({ commands, prints }) => [
        prints === undefined ? STRICT : "unset -f curl; set +e",
        commands,
        `printf '\\n%s\\n' '${END}'`,
      ]),
    ].join("\n");
    const shell = { cwd: dir, env: { ...cleanEnv(), ...env, STAGEDOOR_CONSOLE_URL: consoleUrl } };
    const ran = await run("bash", ["-c", here(script)], shell).catch(
      (failed: { stdout: string; stderr: string }) => failed,
    );
    printed = ran.stdout.replaceAll("\r", "").split(END).slice(0, -1);
    errors = `${ran.stdout.slice(-500)}\n${ran.stderr}`;
  });
  afterAll(async () => {
    await server?.stop();
    await rm(dir, { recursive: true, force: true });
  });

  test.each(steps.map((step, i) => ({ ...step, i, first: step.commands.split("\n")[0]?.slice(0, 70) })))(
    "$i: $first",
    ({ prints, hasMore, i }) => {
      expect(printed[i], errors).toBeDefined();
      if (prints !== undefined) expect(printed[i]?.trim()).toMatch(printedPattern(prints, hasMore));
    },
  );
});
