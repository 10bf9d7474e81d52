/**
 * How other programs see the certificates: each trusts only the authority, accepts the leaf for every name it covers,
 * and rejects what a thief of the intermediate would sign for any other name.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:https";
import { connect, isIP } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { connect as connectTls } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Authority, createAuthority, issueLeaf } from "#certificates/authority.ts";
import { listen } from "#test/hosts/listen.ts";
import { launchBrowser, NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";

const run = promisify(execFile);
const COVERED = ["localhost", "test-machine.local", "192.168.1.20", "10.0.2.2"];
const STOLEN = "example.com";
const HOSTS = [...COVERED, STOLEN];
const EXPECTED = [...COVERED.map(() => "accepted"), "refused"];

let dir = "";
let caFile = "";
let authority: Authority;
const servers: Server[] = [];
/** The port for each host. */
let portOf: (host: string) => number = () => 0;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), "stagedoor-programs-"));
  authority = await createAuthority("test machine", Date.now());
  caFile = join(dir, "ca.pem");
  await writeFile(caFile, authority.root);
  const serve = async (names: readonly string[]): Promise<number> => {
    const { cert, key } = await issueLeaf(authority, names, Date.now());
    const server = createServer({ cert, key }, (_, res) => void res.end("ok"));
    servers.push(server);
    return listen(server);
  };
  const [good, stolen] = [await serve(COVERED), await serve([STOLEN])];
  portOf = (host) => (host === STOLEN ? stolen : good);
});
afterAll(async () => {
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  await rm(dir, { recursive: true });
});

const has = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));
const verdict = (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => "accepted",
    () => "refused",
  );
const each = (ask: (host: string, port: number) => Promise<unknown>): Promise<string[]> =>
  Promise.all(HOSTS.map((host) => verdict(ask(host, portOf(host)))));

const PYTHON = `
import socket, ssl, sys
context = ssl.create_default_context(cafile=sys.argv[1])
for host, port in (target.split("=") for target in sys.argv[2:]):
    try:
        context.wrap_socket(socket.create_connection(("127.0.0.1", int(port))), server_hostname=host).close()
        print("accepted")
    except ssl.SSLError:
        print("refused")
`;
const targets = (): string[] => HOSTS.map((host) => `${host}=${portOf(host)}`);
const lines = ({ stdout }: { readonly stdout: string }): string[] => stdout.trim().split(/\r?\n/);

describe("the leaf is accepted, and a forged one for example.com rejected, by", () => {
  test("Node", async () => {
    const ask = async (host: string, port: number): Promise<void> => {
      const servername = isIP(host) === 0 ? host : "";
      const socket = connectTls({ socket: connect(port, "127.0.0.1"), host, servername, ca: authority.root });
      await once(socket, "secureConnect");
      socket.destroy();
    };
    expect(await each(ask)).toEqual(EXPECTED);
  });

  test("curl", async ({ skip }) => {
    skip(!has("curl"), "curl is not installed");
    const ask = (host: string, port: number) =>
      run("curl", ["-sf", "--cacert", caFile, "--connect-to", `${host}:443:127.0.0.1:${port}`, `https://${host}/`]);
    expect(await each(ask)).toEqual(EXPECTED);
  });

  test("OpenSSL", async ({ skip }) => {
    skip(!has("openssl"), "OpenSSL is not installed");
    const ask = (host: string, port: number) => {
      const kind = isIP(host) === 0 ? "-verify_hostname" : "-verify_ip";
      const asked = ["s_client", "-connect", `127.0.0.1:${port}`, "-CAfile", caFile, kind, host];
      const running = run("openssl", [...asked, "-verify_return_error"]);
      running.child.stdin?.end();
      return running;
    };
    expect(await each(ask)).toEqual(EXPECTED);
  });

  test("Python", async ({ skip }) => {
    skip(!has("python3"), "Python is not installed");
    expect(lines(await run("python3", ["-c", PYTHON, caFile, ...targets()]))).toEqual(EXPECTED);
  });

  test("Java", async ({ skip }) => {
    skip(!has("javac"), "Java is not installed");
    const source = join(import.meta.dirname, "../Try.java");
    expect(lines(await run("java", [source, caFile, ...targets()]))).toEqual(EXPECTED);
  });

  test("Chromium", async ({ skip }) => {
    skip(findBrowser() === undefined, NO_BROWSER);
    skip(!has("certutil"), "certutil (libnss3-tools) is not installed");
    const store = join(dir, ".pki", "nssdb");
    await mkdir(store, { recursive: true });
    await run("certutil", ["-d", `sql:${store}`, "-N", "--empty-password"]);
    await run("certutil", ["-d", `sql:${store}`, "-A", "-t", "C,,", "-n", "stagedoor", "-i", caFile]);
    const rules = HOSTS.map((host) => `MAP ${host} 127.0.0.1:${portOf(host)}`).join(", ");
    const browser = await launchBrowser([`--host-resolver-rules=${rules}`], dir);
    const page = await browser.newPage();
    const found: string[] = [];
    for (const host of HOSTS) found.push(await verdict(page.goto(`https://${host}/`)));
    await browser.close();
    expect(found).toEqual(EXPECTED);
  });
});
