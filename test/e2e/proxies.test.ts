/** CONTRACT 23 through the configurations of docs/deploy/proxies, each in the real proxy where it is installed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { findBrowser } from "#server/commands/find-browser.ts";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { until } from "#test/http/control/support.ts";
import { launchBrowser, test } from "#test/support/browser.ts";
import { freePort } from "#test/support/ports.ts";

const NAMES = ["qa.example.com", "auth.qa.example.com", "admin.qa.example.com"] as const;
const DOCS = fileURLToPath(new URL("../../docs/deploy/proxies/", import.meta.url));
const TOKEN = "for-the-tests-alone";
const ADA = "+12025550100";
const onPath = (program: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].map((dir) => join(dir, program)).find(existsSync);

let built: Built;
let dir = "";
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-proxies-"));
  const fixtures = join(dir, "qa.json");
  const profiles = [{ phone: ADA, name: "Ada" }];
  await writeFile(fixtures, JSON.stringify({ apps: [{ appId: "qa", secret: "sk_of_the_tests", profiles }] }));
  built = await startBuilt(
    [
      ...["--ephemeral", "--console-host", "127.0.0.1", "--fixtures", fixtures, "--allow-host", ...NAMES],
      ...["--public-console-url", "https://qa.example.com", "--public-auth-url", "https://auth.qa.example.com"],
      ...["--public-admin-url", "https://admin.qa.example.com"],
    ],
    { ...cleanEnv(), STAGEDOOR_ACCESS_TOKEN: TOKEN },
  );
});
afterAll(async () => {
  await built.stop();
  await rm(dir, { recursive: true, force: true });
});

/** @returns the configuration of the page with the ports and files of this test. */
const configOf = async (name: string, port: number, pem: string): Promise<string> => {
  const { adminUrl, authUrl, consoleUrl } = built.ready;
  const given = await readFile(join(DOCS, name), "utf8");
  return given
    .replaceAll("127.0.0.1:4010", new URL(adminUrl).host)
    .replaceAll("127.0.0.1:4011", new URL(authUrl).host)
    .replaceAll("127.0.0.1:4012", new URL(consoleUrl).host)
    .replaceAll(/(listen|bind) :?443/g, `$1 127.0.0.1:${port}`)
    .replaceAll(/\/etc\/ssl\/qa\.example\.com\.(pem|key)/g, pem);
};

/** How each proxy is started with its configuration. @returns the arguments. */
const PROXIES = {
  nginx: async (port: number, pem: string, buffering: "on" | "off") => {
    const config = await configOf("nginx.conf", port, pem);
    const file = join(dir, `nginx-${port}.conf`);
    const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
    const temporary = places.map((name) => `${name}_temp_path ${dir}/${name};`).join(" ");
    await writeFile(
      file,
      `${process.getuid?.() === 0 ? "user root; " : ""}daemon off; pid ${dir}/nginx.pid; error_log stderr crit; events {} http { access_log off; ${temporary} proxy_buffering ${buffering};\n${config}}`,
    );
    return ["-p", dir, "-e", "stderr", "-c", file];
  },
  haproxy: async (port: number, pem: string) => {
    const file = join(dir, "haproxy.cfg");
    await writeFile(file, await configOf("haproxy.cfg", port, pem));
    return ["-db", "-f", file];
  },
  caddy: async (port: number, pem: string) => {
    const file = join(dir, "Caddyfile");
    const global = `{\n\tadmin off\n\thttps_port ${port}\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n`;
    const config = (await configOf("Caddyfile", port, pem)).replaceAll("\treverse", `\ttls ${pem} ${pem}\n\treverse`);
    await writeFile(file, global + config);
    return ["run", "--adapter", "caddyfile", "--config", file];
  },
} as const;

/** Starts a proxy. @returns its port, and what stops it. */
const startProxy = async (name: keyof typeof PROXIES, program: string, buffering: "on" | "off") => {
  const pem = join(dir, "both.pem");
  if (!existsSync(pem)) {
    const names = `subjectAltName=${NAMES.map((one) => `DNS:${one}`).join(",")}`;
    const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    const [key, cert] = [join(dir, "k"), join(dir, "c")];
    await promisify(execFile)("openssl", [...made, "-subj", "/CN=qa", "-addext", names, "-keyout", key, "-out", cert]);
    await writeFile(pem, (await readFile(cert, "utf8")) + (await readFile(key, "utf8")), { mode: 0o600 });
  }
  const port = await freePort();
  await mkdir(join(dir, "home"), { recursive: true });
  const env = { ...cleanEnv(), HOME: join(dir, "home"), XDG_DATA_HOME: join(dir, "home") };
  const child: ChildProcess = spawn(program, await PROXIES[name](port, pem, buffering), {
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  const isUp = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (child.exitCode !== null) return void errors.then((said) => reject(new Error(`${name} ended: ${said}`)));
      const socket = connect(port, "127.0.0.1", () => resolve(true)).on("error", () => resolve(false));
      socket.once("connect", () => socket.destroy());
    });
  await until(isUp, Boolean);
  return {
    port,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};

interface Sent {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks one of the names through the proxy. @returns the response before its body. */
const ask = async (port: number, host: string, path: string, { method = "GET", body, headers = {} }: Sent = {}) => {
  const type =
    body === undefined ? {} : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const sent = request({
    ...{ host: "127.0.0.1", port, servername: host, path, method, rejectUnauthorized: false, agent: false },
    headers: { Host: host, ...type, ...headers },
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  return response;
};
const whole = async (...given: Parameters<typeof ask>): Promise<{ status: number; body: string }> => {
  const response = await ask(...given);
  return { status: response.statusCode, body: await text(response) };
};

describe.each([
  ["nginx", "on"],
  ["nginx", "off"],
  ["haproxy", "on"],
  ["caddy", "on"],
] as const)("%s, buffering %s", (name, buffering) => {
  test("console, login, wait, event stream and an import of 20 MB", async ({ skip }) => {
    const program = onPath(name) ?? skip(`${name} is not installed`);
    if (onPath("openssl") === undefined) skip("openssl is not installed");
    const { port, stop } = await startProxy(name, program, buffering);
    try {
      const own = { Authorization: `Bearer ${TOKEN}`, Origin: "https://qa.example.com" };
      const [qa, auth] = NAMES;
      const page = await whole(port, qa, "/inbox", { headers: own });
      expect(page.status).toBe(200);
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page.body)?.[1] ?? "";
      expect((await whole(port, qa, script, { headers: own })).status).toBe(200);
      const stream = await ask(port, qa, "/emulator/v1/events?appId=qa", { headers: own });
      let heard = "";
      stream.setEncoding("utf8").on("data", (chunk: string) => {
        heard += chunk;
      });
      const user = { appId: "qa", user: { phone: ADA } };
      const wait = whole(port, qa, `/emulator/v1/passcodes/latest?to=%2B12025550100&after=0&wait=30000`, {
        headers: own,
      });
      const asked = await whole(port, auth, "/v1/users/session", { method: "POST", body: JSON.stringify(user) });
      expect(asked.status).toBe(202);
      const { code } = JSON.parse((await wait).body);
      const typed = JSON.stringify({ ...user, passcode: code });
      const signed = await whole(port, auth, "/v1/users/session", { method: "PUT", body: typed });
      expect(signed.status).toBe(200);
      await until(
        () => heard,
        (all) => all.includes('"type":"session.put"'),
      );
      stream.destroy();
      const list = await ask(port, NAMES[2], "/v1/profiles?limit=1", {
        headers: { Authorization: "Bearer sk_of_the_tests" },
      });
      expect([list.statusCode, list.headers.link]).toEqual([
        200,
        expect.stringContaining("<https://admin.qa.example.com/v1/"),
      ]);
      list.resume();
      const profiles = Array.from({ length: 2_000 }, (_, i) => ({
        phone: `+1303555${String(i).padStart(4, "0")}`,
        metadata: { text: "x".repeat(10_000) },
      }));
      const body = JSON.stringify({ mode: "merge", state: { apps: [{ appId: "big", profiles }] } });
      expect(body.length).toBeGreaterThan(20_000_000);
      const imported = await whole(port, qa, "/emulator/v1/state", { method: "PUT", body, headers: own });
      expect(imported.status).toBe(200);
      expect((await whole(port, qa, "/emulator/v1/apps/big", { method: "DELETE", headers: own })).status).toBe(204);
    } finally {
      await stop();
    }
  });
});

test("in a browser at https://qa.example.com: a code, a profile edited, undone and exported, and the stage", async ({
  skip,
}) => {
  const program = onPath("nginx") ?? skip("nginx is not installed");
  if (findBrowser() === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1") skip("no browser was found");
  const { port, stop } = await startProxy("nginx", program, "on");
  const browser = await launchBrowser([`--host-resolver-rules=MAP *.example.com:443 127.0.0.1:${port}`]);
  try {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: "https://qa.example.com" });
    const page = await context.newPage();
    const failed: string[] = [];
    page.on("response", (response) => {
      if (response.status() >= 400) failed.push(`${response.status()} ${response.url()}`);
    });
    page.on("requestfailed", (asked) => {
      if (asked.failure()?.errorText !== "net::ERR_ABORTED")
        failed.push(`${asked.failure()?.errorText} ${asked.url()}`);
    });
    page.on("pageerror", (error) => failed.push(error.message));
    await page.goto(`https://qa.example.com/?access_token=${TOKEN}`);
    expect(await context.cookies()).toMatchObject([{ secure: true, httpOnly: true }]);
    const auth = caller(() => built.ready.authUrl);
    await auth("POST", "/v1/users/session", { appId: "qa", user: { phone: ADA } });
    const control = caller(() => `${built.ready.consoleUrl}/emulator/v1`, { Authorization: `Bearer ${TOKEN}` });
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    const hero = page.getByRole("region", { name: `Code ${code}` });
    await hero.getByRole("button", { name: /copy/i }).first().click();
    await expect.poll(() => page.evaluate("navigator.clipboard.readText()")).toBe(code);
    const changed = await page.evaluate(`(async () => {
      const call = async (method, path, body) => {
        const response = await fetch("/emulator/v1/" + path, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
        return [response.status, await response.text()];
      };
      const { items: [{ userId }] } = await (await fetch("/emulator/v1/profiles?appId=qa")).json();
      const edited = await call("PATCH", "profiles/" + userId + "?appId=qa", { name: "Ada of QA" });
      const { items: [{ seq }] } = await (await fetch("/emulator/v1/timeline?appId=qa&limit=1")).json();
      const undone = await call("POST", "rewind", { undo: seq });
      const state = await fetch("/emulator/v1/state?appId=qa");
      return [edited[0], edited[1].includes("Ada of QA"), undone[0], state.status, (await state.text()).includes("Ada of QA")];
    })()`);
    expect(changed).toEqual([200, true, 200, 200, false]);
    await page.goto("https://qa.example.com/stage");
    await page.locator("main[data-state=idle]").waitFor();
    expect(page.frames().map((frame) => new URL(frame.url()).origin)).toContain("https://auth.qa.example.com");
    await page.keyboard.press("1");
    await page.locator("main[data-state=code]").waitFor();
    await page.keyboard.press("Space");
    await page.locator("main[data-state=signedIn]").waitFor();
    expect(failed).toEqual([]);
  } finally {
    await browser.close();
    await stop();
  }
});
