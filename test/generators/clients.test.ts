/** Clients that generators make of an app's documents compile, and work: those of docs/openapi.md, and of other settings. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { type Block, blocksOf, fileName } from "#test/docs/blocks.ts";
import { harness } from "#test/http/decisions/support.ts";

const { app: newApp, server } = harness();
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const HOOK = new URL("typescript-5.mjs", import.meta.url).href;
/** What `npx` would start. */
const PROGRAMS: Readonly<Record<string, string>> = {
  "openapi-typescript": "bin/cli.js",
  "@hey-api/openapi-ts": "bin/run.js",
};
const LINE = /^npx (?:-p typescript@5 -p )?(\S+)@([\d.]+) (?:openapi-ts )?(.*)$/;
const COMPILER = {
  strict: true,
  noEmit: true,
  target: "es2022",
  module: "preserve",
  lib: ["es2022", "dom", "dom.iterable"],
  types: [],
};
const run = promisify(execFile);
const top = mkdtempSync(join(tmpdir(), "stagedoor-generators-"));
symlinkSync(join(ROOT, "node_modules"), join(top, "node_modules"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

/** @returns a text with the URLs of the running server. In one pass: an inserted port may itself start with 4010. */
const here = (text: string): string =>
  text.replaceAll(/http:\/\/127\.0\.0\.1:401([012])\b/g, (_, end) => {
    const { admin, auth, console } = server().urls;
    return [admin, auth, console][Number(end)] ?? "";
  });

/** Runs `npx NAME@VERSION …` with the installed package, which must be of that version. */
const generate = async (line: string, cwd: string): Promise<void> => {
  const [, name = "", version, rest = ""] = LINE.exec(line) ?? [];
  const folder = join(ROOT, "node_modules", name);
  expect(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version, line).toBe(version);
  const args = here(rest.replaceAll('"', "")).split(" ");
  const env = { ...process.env, NODE_OPTIONS: `--import=${HOOK}` };
  await run(process.execPath, [join(folder, PROGRAMS[name] ?? ""), ...args], { cwd, env });
};

/** Generates clients, compiles a program that uses them, and runs it. @returns what it exports. */
const use = async (folder: string, commands: string, program: string) => {
  const cwd = join(top, folder);
  mkdirSync(cwd);
  await Promise.all(commands.split("\n").map((line) => generate(line, cwd)));
  writeFileSync(join(cwd, "program.ts"), here(program));
  writeFileSync(join(cwd, "tsconfig.json"), JSON.stringify({ compilerOptions: COMPILER, files: ["program.ts"] }));
  const compiled = await run(process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "-p", cwd]).catch(
    ({ stdout }) => ({ stdout }),
  );
  expect(compiled.stdout).toBe("");
  return await import(pathToFileURL(join(cwd, "program.ts")).href);
};

const blocks = blocksOf("docs/openapi.md");
const commands = blocks.filter(({ language }) => language === "sh");
const programs = blocks.filter(({ language }) => language === "ts");
const pairs = programs.map((program, place): [string, Block | undefined, Block] => [
  fileName(program) ?? "",
  commands[place],
  program,
]);

test("the page has a program for each generator", () => {
  expect(pairs.map(([name]) => name)).toEqual(["with-openapi-fetch.ts", "with-hey-api.ts"]);
});

test.each(pairs)("docs/openapi.md: %s signs in and lists", async (name, command, program) => {
  const { session, profiles } = await use(name, command?.text ?? "", program.text);
  expect(session).toMatchObject({ token: expect.stringMatching(/^ey/) });
  expect(profiles).toHaveLength(5);
});

/** Every shape that the documents follow. */
const SETTINGS = {
  wire: { envelope: "session", appIdField: "clientId", userField: null, signUpStatus: 201, authenticateStatus: 201 },
  list: { envelope: "data", pageParameter: "pageNumber", limitParameter: "perPage" },
  errors: { shape: "error", fields: "nested" },
  authenticate: { refusedStatus: 403 },
  passcode: { fixed: "246810" },
};

describe("an app with other settings", () => {
  test.each([
    [
      "openapi-fetch",
      0,
      `import createClient from "openapi-fetch";
       import type { paths as AdminPaths } from "./admin.js";
       import type { paths as AuthPaths } from "./auth.js";
       const admin = createClient<AdminPaths>({ baseUrl: "http://127.0.0.1:4010", headers: { Authorization: "Bearer SECRET" } });
       const auth = createClient<AuthPaths>({ baseUrl: "http://127.0.0.1:4011" });
       const path = "/v1/users/session";
       export const created = await admin.POST("/v1/profiles", { body: { phone, metadata: { plan: "pro" } } });
       export const signedUp = await auth.POST(path, { body: { session: { clientId, phone: other } } });
       export const sent = await auth.POST(path, { body: { session: { clientId, phone } } });
       const refused = await auth.PUT(path, { body: { session: { clientId, phone, passcode: "000000" } } });
       const body = refused.error;
       export const why = body && "error" in body ? body.error : undefined;
       export const signedIn = await auth.PUT(path, { body: { session: { clientId, phone, passcode: "246810" } } });
       export const token: string = signedIn.data?.token ?? "";
       const listed = await admin.GET("/v1/profiles", { params: { query: { pageNumber: 1, perPage: 1 } } });
       export const ids: string[] = listed.data?.data.map(({ userId }) => userId) ?? [];
       export const statuses = [created, signedUp, sent, refused, signedIn, listed].map((one) => one.response.status);`,
    ],
    [
      "hey-api",
      1,
      `import { createProfile, listProfiles } from "./admin";
       import { client } from "./admin/client.gen";
       import { authenticate, startSession } from "./auth";
       client.setConfig({ auth: "SECRET" });
       export const created = await createProfile({ body: { phone, metadata: { plan: "pro" } } });
       export const signedUp = await startSession({ body: { session: { clientId, phone: other } } });
       export const sent = await startSession({ body: { session: { clientId, phone } } });
       const refused = await authenticate({ body: { session: { clientId, phone, passcode: "000000" } } });
       const body = refused.error;
       export const why = body && "error" in body ? body.error : undefined;
       export const signedIn = await authenticate({ body: { session: { clientId, phone, passcode: "246810" } } });
       export const token: string = signedIn.data?.token ?? "";
       const listed = await listProfiles({ query: { pageNumber: 1, perPage: 1 } });
       export const ids: string[] = listed.data?.data.map(({ userId }) => userId) ?? [];
       export const statuses = [created, signedUp, sent, refused, signedIn, listed].map((one) => one.response?.status);`,
    ],
  ])("%s signs up and in, lists, and meets an error", async (name, place, program) => {
    const { appId, secret } = await newApp({ settings: SETTINGS });
    const head = `const clientId = "${appId}", phone = "+12025550150", other = "+12025550151";\n`;
    const command = (commands[place]?.text ?? "").replaceAll("demo-app", appId);
    const used = await use(name, command, head + program.replace("SECRET", secret));
    expect(used.statuses).toEqual([201, 201, 202, 403, 201, 200]);
    expect(used.why).toEqual(expect.any(String));
    expect(used.token).toMatch(/^ey/);
    expect(used.ids).toEqual([used.created.data.userId]);
  });
});
