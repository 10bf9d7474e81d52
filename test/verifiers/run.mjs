/**
 * Runs the code in docs/verifiers.md with a valid token and each defective one, and writes the matrix into
 * docs/internals/verifiers.md.
 *
 *     node test/verifiers/run.mjs [--check]     needs dist (npm run build), Node's packages, python3, ruby, go, java
 *
 * `--check` writes nothing. Node packages are installed in a separate folder. A verifier whose language is missing is
 * skipped, and then nothing is written. Exits with 1 if a verifier refuses the valid token or accepts one that it must
 * refuse, or if fewer than three refuse a defect.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { ROOT } from "../../tools/build.mjs";

const PAGE = join(ROOT, "docs/verifiers.md");
const MATRIX = join(ROOT, "docs/internals/verifiers.md");
/** In contract order; those with `advice` may be accepted. */
const { DEFECT_NAMES, isAdvice } = await defects();
const PACKAGES = [
  "jose",
  "jsonwebtoken",
  "jwks-rsa",
  "express",
  "express-oauth2-jwt-bearer",
  "passport",
  "passport-jwt",
  "fastify",
  "@fastify/jwt",
  "get-jwks",
  "hono",
  "@hono/node-server",
];
/** How to run each language, and how to make a program from a `verify`: JSON tokens in, JSON verdicts out. */
const LANGUAGES = {
  js: {
    file: "verifier.mjs",
    command: ["node", "verifier.mjs"],
    end: `
import { json } from "node:stream/consumers";
const passed = {};
for (const [name, token] of Object.entries(await json(process.stdin)))
  passed[name] = await verify(token).then(() => true, () => false);
console.log(JSON.stringify(passed));
process.exit();`,
  },
  python: {
    file: "verifier.py",
    command: ["/usr/bin/python3", "verifier.py"],
    end: `
import json, sys
def passes(token):
    try:
        verify(token)
        return True
    except Exception:
        return False
print(json.dumps({name: passes(token) for name, token in json.load(sys.stdin).items()}))`,
  },
  ruby: {
    file: "verifier.rb",
    command: ["ruby", "verifier.rb"],
    end: `
passed = JSON.parse($stdin.read).transform_values do |token|
  verify(token)
  true
rescue StandardError
  false
end
puts passed.to_json`,
  },
  go: {
    file: "verifier.go",
    // The GOPATH of Debian's library packages.
    command: ["env", "GO111MODULE=off", "GOPATH=/usr/share/gocode", "go", "run", "verifier.go", "main.go"],
    beside: {
      "main.go": `package main
import ("encoding/json"; "os")
func main() {
	var tokens map[string]string
	json.NewDecoder(os.Stdin).Decode(&tokens)
	passed := map[string]bool{}
	for name, token := range tokens {
		_, err := verify(token)
		passed[name] = err == nil
	}
	json.NewEncoder(os.Stdout).Encode(passed)
}`,
    },
    end: "",
  },
  java: {
    file: "Main.java",
    command: ["java", "Main.java"],
    // Java runs the first class in a file.
    begin: `class Main {
  public static void main(String[] args) throws Exception {
    var tokens = java.util.regex.Pattern.compile("\\"([^\\"]+)\\":\\"([^\\"]*)\\"").matcher(new String(System.in.readAllBytes()));
    var passed = new StringBuilder();
    while (tokens.find()) {
      boolean passes = true;
      try { Verifier.verify(tokens.group(2)); } catch (Exception refused) { passes = false; }
      passed.append(passed.isEmpty() ? "{" : ",").append('"').append(tokens.group(1)).append("\\":").append(passes);
    }
    System.out.println(passed.append("}"));
  }
}
`,
    end: "",
  },
};

/** @returns the table of defects, from TypeScript. */
async function defects() {
  const { createServer: vite } = await import("vite");
  const server = await vite({ root: ROOT, logLevel: "error", configFile: false, server: { middlewareMode: true } });
  try {
    return /** @type {typeof import("../../src-server/contract/service/token-defects.ts")} */ (
      await server.ssrLoadModule("/src-server/contract/service/token-defects.ts")
    );
  } finally {
    await server.close();
  }
}

/** @returns the verifiers of the page: name, language, code. */
const verifiers = () =>
  [...readFileSync(PAGE, "utf8").matchAll(/<!-- verifier: (\S+) -->\n\n```(\w+)\n([\s\S]*?)```/g)].map(
    ([, name = "", language = "", code = ""]) => ({ name, language, code }),
  );

/** @returns {Promise<number>} */
const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });

/** @returns {Promise<{ child: import("node:child_process").ChildProcess, ready: Record<string, string> }>} a server */
const startStagedoor = async () => {
  const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
  const child = spawn(
    process.execPath,
    [join(ROOT, "dist/server/cli.js"), "start", "--headless", "--ephemeral", "--json", ...ports],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  const line = await new Promise((resolve) => child.stdout.once("data", resolve));
  return { child, ready: JSON.parse(String(line)) };
};

/** @typedef {{ id: string, token: string }} Signed */

/** @param {string} consoleUrl @returns {Promise<Record<string, string>>} a valid token and one per defect, by name */
const signTokens = async (consoleUrl) => {
  const api = `${consoleUrl}/emulator/v1`;
  /** @param {string} path @param {object} body @returns {Promise<Signed>} */
  const post = async (path, body) => {
    const headers = { "Content-Type": "application/json" };
    const response = await fetch(api + path, { method: "POST", headers, body: JSON.stringify(body) });
    return /** @type {Signed} */ (await response.json());
  };
  const users = await fetch(`${api}/profiles?appId=demo-app&limit=1`);
  const { items } = /** @type {{ items: { userId: string }[] }} */ (await users.json());
  const { id, token } = await post("/sessions", { appId: "demo-app", userId: items[0]?.userId });
  /** @type {Record<string, string>} */
  const tokens = { good: token };
  for (const defect of DEFECT_NAMES) tokens[defect] = (await post(`/sessions/${id}/token`, { defect })).token;
  return tokens;
};

/** @param {string} port @param {Record<string, string>} tokens @returns {Promise<Record<string, boolean>>} */
const askServer = async (port, tokens) => {
  const me = `http://127.0.0.1:${port}/me`;
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(me).then(
        () => true,
        () => false,
      )
    )
      break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  /** @type {Record<string, boolean>} */
  const passed = {};
  for (const [name, token] of Object.entries(tokens))
    passed[name] = (await fetch(me, { headers: { Authorization: `Bearer ${token}` } })).status === 200;
  return passed;
};

/**
 * @param {{ name: string, language: string, code: string }} verifier @param {string} folder with the Node packages
 * @param {Record<string, string>} tokens @param {Record<string, string>} ready
 * @returns {Promise<Record<string, boolean> | undefined>} which tokens passed; undefined if it cannot run here
 */
const tryOut = async ({ name, language, code }, folder, tokens, ready) => {
  const kind = LANGUAGES[/** @type {keyof typeof LANGUAGES} */ (language)];
  const dir = join(folder, name.replaceAll(/\W/g, "-"));
  mkdirSync(dir, { recursive: true });
  const port = String(await freePort());
  /** @type {Record<string, string | undefined>} */
  const ours = { "http://127.0.0.1:4011": ready["authUrl"], "http://127.0.0.1:4010": ready["adminUrl"], 8080: port };
  // In one pass, because the port in an inserted URL can contain one of these.
  const own = code
    .replaceAll(/http:\/\/127\.0\.0\.1:401[01]\b|\b8080\b/g, (found) => ours[found] ?? found)
    .replaceAll("golang-jwt/jwt/v4", "golang-jwt/jwt");
  const isServer = code.includes("8080");
  // In each of these languages imports come first.
  const whole =
    "begin" in kind ? own.replace("class Verifier", `${kind.begin}class Verifier`) : own + (isServer ? "" : kind.end);
  writeFileSync(join(dir, kind.file), whole);
  if ("beside" in kind)
    for (const [file, content] of Object.entries(kind.beside)) writeFileSync(join(dir, file), content);
  const [command = "", ...args] = kind.command;
  const child = spawn(command, args, { cwd: dir, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise((resolve) => child.once("error", resolve).once("exit", resolve));
  try {
    if (isServer) return await askServer(port, tokens);
    child.stdin.on("error", () => undefined).end(JSON.stringify(tokens));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
    if (!out.startsWith("{")) process.stderr.write(`${name} does not run here:\n${err.slice(0, 2_000)}\n`);
    return out.startsWith("{") ? JSON.parse(out) : undefined;
  } finally {
    child.kill();
  }
};

const folder = mkdtempSync(join(tmpdir(), "stagedoor-verifiers-"));
const { child, ready } = await startStagedoor();
/** @type {string[]} */
const faults = [];
/** @type {Map<string, Record<string, boolean>>} */
const results = new Map();
try {
  writeFileSync(join(folder, "package.json"), '{"private":true,"type":"module"}');
  const installed = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--silent", ...PACKAGES], { cwd: folder });
  if (installed.status !== 0)
    process.stderr.write(`The packages of Node could not be installed: ${installed.stderr}\n`);
  const tokens = await signTokens(ready["consoleUrl"] ?? "");
  for (const verifier of verifiers()) {
    const passed = await tryOut(verifier, folder, tokens, ready);
    if (passed === undefined) continue;
    results.set(verifier.name, passed);
    if (passed["good"] !== true) faults.push(`${verifier.name} refuses the good token`);
    for (const defect of DEFECT_NAMES)
      if (passed[defect] !== false && !isAdvice(defect)) faults.push(`${verifier.name} accepts ${defect}`);
  }
} finally {
  child.kill();
  rmSync(folder, { recursive: true, force: true });
}
for (const defect of DEFECT_NAMES) {
  const by = [...results.values()].filter((passed) => passed[defect] === false).length;
  if (!isAdvice(defect) && by < 3) faults.push(`${defect} is refused by ${by} verifiers only`);
}

const names = [...results.keys()];
const rows = [
  ["Token", ...names],
  ["good", ...names.map((name) => (results.get(name)?.["good"] ? "✓" : "**refused**"))],
  ...DEFECT_NAMES.map((defect) => [
    `\`${defect}\``,
    ...names.map((name) => (results.get(name)?.[defect] === false ? "✗" : isAdvice(defect) ? "·" : "**accepted**")),
  ]),
];
const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
/** @param {readonly string[]} row */
const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
const [head = [], ...body] = rows;
const table = [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
process.stdout.write(`${table}\n`);
for (const fault of faults) process.stderr.write(`${fault}\n`);
const isWhole = names.length === verifiers().length;
if (!process.argv.includes("--check") && isWhole && faults.length === 0) {
  const [before = ""] = readFileSync(MATRIX, "utf8").split("<!-- matrix -->");
  writeFileSync(MATRIX, `${before}<!-- matrix -->\n\n${table}\n`);
}
process.exitCode = faults.length > 0 || !isWhole ? 1 : 0;
