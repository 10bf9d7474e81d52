/** The configurations of docs/deploy/proxies, each in the real proxy where it is installed. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { until } from "#test/http/control/support.ts";
import { freePort } from "#test/support/ports.ts";
import { cleanEnv } from "../built.ts";
import type { Proxied } from "./ask.ts";
import { answers } from "./forward.ts";

/** The names of the console, of auth and of admin in the configurations. */
const NAMES = ["qa.example.com", "auth.qa.example.com", "admin.qa.example.com"] as const;
/** As `start` is told, and as the listeners are asked. */
export const PUBLIC = {
  console: `https://${NAMES[0]}`,
  auth: `https://${NAMES[1]}`,
  admin: `https://${NAMES[2]}`,
} as const;
/** Options of `start` behind a proxy, as docs/deploy/proxies.md has them. */
export const BEHIND_PROXY = [
  ...["--console-host", "127.0.0.1", "--allow-host", ...NAMES, "--public-console-url", PUBLIC.console],
  ...["--public-auth-url", PUBLIC.auth, "--public-admin-url", PUBLIC.admin],
];

const DOCS = fileURLToPath(new URL("../../../docs/deploy/proxies/", import.meta.url));

/** @returns the path of a program of this machine; undefined: it is not installed. */
export const onPath = (program: string): string | undefined =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].map((dir) => join(dir, program)).find(existsSync);

/** The URLs of a server on this machine. */
export interface Listening {
  readonly adminUrl: string;
  readonly authUrl: string;
  readonly consoleUrl: string;
}

/** Where a proxy is to listen, and what it needs. */
interface Setting {
  readonly dir: string;
  readonly port: number;
  /** A file with the certificate and its key. */
  readonly pem: string;
  readonly server: Listening;
}

/** @returns a configuration of the page with the ports and files of a test. */
const configOf = async (name: string, { port, pem, server }: Setting): Promise<string> => {
  const given = await readFile(join(DOCS, name), "utf8");
  return given
    .replaceAll("127.0.0.1:4010", new URL(server.adminUrl).host)
    .replaceAll("127.0.0.1:4011", new URL(server.authUrl).host)
    .replaceAll("127.0.0.1:4012", new URL(server.consoleUrl).host)
    .replaceAll(/(listen|bind) :?443/g, `$1 127.0.0.1:${port}`)
    .replaceAll(/\/etc\/ssl\/qa\.example\.com\.(pem|key)/g, pem);
};

/** How to start nginx with a configuration below `http`. @returns its arguments. */
const nginx = async ({ dir, port }: Setting, config: string): Promise<readonly string[]> => {
  const file = join(dir, `nginx-${port}.conf`);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const temporary = places.map((name) => `${name}_temp_path ${dir}/${name};`).join(" ");
  const user = process.getuid?.() === 0 ? "user root; " : "";
  const head = `${user}daemon off; pid ${dir}/nginx-${port}.pid; error_log stderr crit; events {}`;
  await writeFile(file, `${head} http { access_log off; ${temporary}\n${config}}`);
  return ["-p", dir, "-e", "stderr", "-c", file];
};

/** The ways to start each proxy. @returns the arguments. */
const PROXIES = {
  nginx: async (setting) => await nginx(setting, await configOf("nginx.conf", setting)),
  "nginx, buffering off": async (setting) =>
    await nginx(setting, `proxy_buffering off;\n${await configOf("nginx.conf", setting)}`),
  /** As most pages on the web show it: nothing but the address. */
  "nginx, default proxy_pass": async (setting) => {
    const given = await configOf("nginx.conf", setting);
    return await nginx(setting, given.replace(/^.*proxy_set_header Host.*$/m, ""));
  },
  /**
   * As Codespaces forwards a port: `Host` is that of the port inside, and so is an `Origin` that was the page's own.
   * @see https://github.com/symfony/demo/issues/1542
   */
  "nginx, as Codespaces": async (setting) => {
    const { adminUrl, authUrl, consoleUrl } = setting.server;
    const local = (url: string): string => `localhost:${new URL(url).port}`;
    const inside = { [PUBLIC.console]: consoleUrl, [PUBLIC.auth]: authUrl, [PUBLIC.admin]: adminUrl };
    const names = Object.entries(inside).map(([url, own]) => `${new URL(url).host} ${local(own)};`);
    const origins = Object.entries(inside).map(([url, own]) => `"${url}" "http://${local(own)}";`);
    const maps = `map $host $local { ${names.join(" ")} } map $http_origin $seen { default $http_origin; ${origins.join(" ")} }`;
    const sent =
      "proxy_set_header Host $local; proxy_set_header Origin $seen; proxy_set_header X-Forwarded-Host $host;";
    const given = await configOf("nginx.conf", setting);
    return await nginx(setting, `${maps}\n${given.replace(/^.*proxy_set_header Host.*$/m, sent)}`);
  },
  haproxy: async (setting) => {
    const file = join(setting.dir, `haproxy-${setting.port}.cfg`);
    await writeFile(file, await configOf("haproxy.cfg", setting));
    return ["-db", "-f", file];
  },
  caddy: async (setting) => {
    const { dir, port, pem } = setting;
    const file = join(dir, `Caddyfile-${port}`);
    const global = `{\n\tadmin off\n\thttps_port ${port}\n\tauto_https disable_redirects\n\tdefault_bind 127.0.0.1\n}\n`;
    const config = (await configOf("Caddyfile", setting)).replaceAll("\treverse", `\ttls ${pem} ${pem}\n\treverse`);
    await writeFile(file, global + config);
    return ["run", "--adapter", "caddyfile", "--config", file];
  },
} as const satisfies Readonly<Record<string, (setting: Setting) => Promise<readonly string[]>>>;

/** A way to start a proxy. */
type ProxyName = keyof typeof PROXIES;
const programOf = (name: ProxyName): string => name.split(",", 1)[0] ?? name;

/** @param more programs of the test. @returns why a proxy cannot be started here; undefined: it can. */
export const missing = (name: ProxyName, ...more: readonly string[]): string | undefined =>
  [programOf(name), "openssl", ...more]
    .filter((one) => onPath(one) === undefined)
    .map((one) => `${one} is not installed`)[0];

/** A running proxy. */
export interface Proxy extends Proxied {
  stop(): Promise<void>;
}

const run = promisify(execFile);

/** @returns the file of the authority of the proxies of a folder. */
export const authorityOf = (dir: string): string => join(dir, "ca.crt");

/** Makes an authority of its own and a certificate for the names. @returns their files, in `dir`. */
const certificates = async (dir: string): Promise<{ readonly ca: string; readonly pem: string }> => {
  const [ca, pem] = [authorityOf(dir), join(dir, "both.pem")];
  if (existsSync(pem)) return { ca, pem };
  const made = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  const [caKey, key, cert] = [join(dir, "ca.key"), join(dir, "key"), join(dir, "crt")];
  await run("openssl", [...made, "-subj", "/CN=An authority of the tests", "-keyout", caKey, "-out", ca]);
  const names = `subjectAltName=${NAMES.map((one) => `DNS:${one}`).join(",")}`;
  const leaf = ["-addext", names, "-addext", "basicConstraints=critical,CA:FALSE", "-CA", ca, "-CAkey", caKey];
  await run("openssl", [...made, "-subj", "/CN=qa.example.com", ...leaf, "-keyout", key, "-out", cert]);
  await writeFile(pem, (await readFile(cert, "utf8")) + (await readFile(key, "utf8")), { mode: 0o600 });
  return { ca, pem };
};

/** Starts a proxy before a server. @param dir for its files. @throws Error with its output if it ends. */
export const startProxy = async (name: ProxyName, dir: string, server: Listening): Promise<Proxy> => {
  const { ca, pem } = await certificates(dir);
  const port = await freePort();
  const home = join(dir, "home");
  await mkdir(home, { recursive: true });
  const args = await PROXIES[name]({ dir, port, pem, server });
  const child: ChildProcess = spawn(onPath(programOf(name)) ?? name, args, {
    env: { ...cleanEnv(), HOME: home, XDG_DATA_HOME: home },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const errors = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  const isUp = async (): Promise<boolean> => {
    if (child.exitCode !== null) throw new Error(`${name} ended: ${await errors}`);
    return await answers(port);
  };
  await until(isUp, Boolean);
  return {
    port,
    ca: await readFile(ca, "utf8"),
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
    },
  };
};
