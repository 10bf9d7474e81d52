/**
 * The snippets of Connect: TypeScript and JavaScript are compiled under strict settings for several wire shapes; so is
 * Kotlin if its compiler is installed (Debian: kotlin, libkotlinx-coroutines-java). Without
 * compilers for Swift and Dart, only the parts that once failed are checked.
 */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { App } from "#client/index.ts";
import { snippetIn } from "../../src-renderer/places/setup/snippets.ts";

const CHECKOUT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

const appWith = (wire: NonNullable<App["settings"]["wire"]>, strategy: App["strategy"] = "phone"): App => ({
  appId: "shaped",
  name: "Shaped",
  secret: "sk",
  strategy,
  settings: { wire },
  createdAt: "2026-01-01T00:00:00.000Z",
  counts: { profiles: 0, passcodes: 0, sessions: 0, connections: 0 },
});
const APPS = [
  appWith({}),
  appWith({ envelope: "session" }, "email"),
  appWith({ envelope: "session", userField: null, appIdField: "client-id", passcodeField: "otp" }),
];
const URLS = ["http://127.0.0.1:4011", "https://localhost:4013", "https://192.168.1.7:4013"];
const all = (language: "fetch" | "react-native" | "swift" | "kotlin" | "dart"): string[] =>
  APPS.flatMap((app) => URLS.map((baseUrl) => snippetIn(language, { baseUrl, app, username: "+12025550199" })));

test("fetch and React Native compile strictly in every shape", async () => {
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-snippets-"));
  try {
    await symlink(join(CHECKOUT, "node_modules"), join(folder, "node_modules"));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      allowJs: true,
      target: "es2022",
      module: "esnext",
      moduleResolution: "bundler",
      moduleDetection: "force",
      lib: ["es2022", "dom"],
      types: [],
      paths: { "react-native": ["./react-native.d.ts"] },
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*"] }));
    const stub = "export declare const Platform: { select<T>(by: { android: T; default: T }): T };";
    await writeFile(join(folder, "react-native.d.ts"), stub);
    for (const [i, text] of all("react-native").entries()) await writeFile(join(folder, `native-${i}.ts`), text);
    for (const [i, text] of all("fetch").entries()) await writeFile(join(folder, `fetch-${i}.js`), text);
    const tsc = join(CHECKOUT, "node_modules/typescript/bin/tsc");
    const { stdout } = await run(process.execPath, [tsc, "-p", folder, "--pretty", "false"]).catch((error) => error);
    expect(stdout).toBe("");
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("React Native uses the scheme of the base URL", () => {
  const [app = appWith({})] = APPS;
  const text = snippetIn("react-native", { baseUrl: "https://localhost:4013", app, username: "+12025550199" });
  expect(text).toContain('android: "https://10.0.2.2:4013"');
});

test("bodies are JSON, escaped as each language requires, around the code", () => {
  const [app = appWith({})] = APPS;
  const body = (language: "fetch" | "swift" | "kotlin" | "dart", username: string): string =>
    snippetIn(language, { baseUrl: URLS[0] ?? "", app, username });
  expect(body("fetch", "+1")).toContain('{"appId":"shaped","user":{"phone":"+1"},"passcode":code}');
  expect(body("swift", "+1")).toContain(String.raw`#"{"appId":"shaped","user":{"phone":"+1"},"passcode":"\#(code)"}"#`);
  expect(body("kotlin", "a$b@x")).toContain(
    `"""{"appId":"shaped","user":{"phone":"a\${'$'}b@x"},"passcode":"$code"}"""`,
  );
  expect(body("dart", "o'a$b@x")).toContain(
    String.raw`'{"appId":"shaped","user":{"phone":"o\'a\$b@x"},"passcode":"$code"}'`,
  );
});

const JARS = ["kotlinx-coroutines-core"].map((name) => `/usr/share/java/${name}.jar`);
const hasKotlin = ["/usr/bin/kotlinc", ...JARS].every((file) => existsSync(file));

test("Kotlin compiles in every shape", { timeout: 240_000 }, async ({ skip }) => {
  if (!hasKotlin) skip("Kotlin's compiler is not installed");
  const folder = await mkdtemp(join(tmpdir(), "stagedoor-snippets-"));
  try {
    const files = [join(import.meta.dirname, "okhttp.kt")];
    for (const [i, text] of all("kotlin").entries()) {
      const file = join(folder, `snippet${i}.kt`);
      await writeFile(file, `package snippet${i}\n${text}`);
      files.push(file);
    }
    await run("kotlinc", ["-cp", JARS.join(":"), "-d", join(folder, "out.jar"), ...files]);
    expect(existsSync(join(folder, "out.jar"))).toBe(true);
  } finally {
    await rm(folder, { recursive: true });
  }
});

test("Kotlin runs off the main thread and closes what it reads", () => {
  for (const text of all("kotlin")) {
    expect(text).toContain("withContext(Dispatchers.IO)");
    expect(text).toContain(".execute().use {");
  }
});
