import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshPath, run, start } from "#test/cli/support.ts";

test("lan and tls switch both at run time; start reports the URLs that its options open", async () => {
  const caDir = freshPath("ca");
  const args = ["--json", "--ephemeral", "--tls", "--auth-tls-port", "0", "--ca-dir", caDir];
  const server = await start(args);
  const { consoleUrl, authTlsUrl = "" } = server.ready;
  const ask = async (...words: string[]) => await run([...words, "--url", consoleUrl]);
  expect(authTlsUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await readdir(caDir)).toEqual(["authority.pem"]);
  expect(await ask("tls", "status")).toMatchObject({ status: 0, out: expect.stringContaining(authTlsUrl) });
  const { ca } = JSON.parse((await ask("tls", "on", "--json")).out);
  expect((await ask("tls", "status")).out).toContain(ca.fingerprint256);
  expect((await ask("tls", "off")).out).toBe("https is off.\n");

  expect((await ask("lan", "status")).out).toBe("Auth is closed to the local network.\n");
  const { open, addresses, urls } = JSON.parse((await ask("lan", "on", "--json")).out);
  expect([open, urls.length]).toEqual([true, addresses.length]);
  if (urls.length > 0) expect((await ask("lan", "status")).out).toContain(`${urls[0]}/emulator/hello`);
  expect(JSON.parse((await ask("lan", "off", "--json")).out)).toMatchObject({ open: false, urls: [] });
  expect(await ask("lan", "up")).toMatchObject({ status: 2, err: expect.stringContaining("on, off, status") });
  await server.stop();
});

test("start says which folder of the authority cannot be used; with --json in one line too", async () => {
  const file = freshPath("file");
  await writeFile(file, "");
  const args = ["--ephemeral", "--tls", "--headless", "--admin-port=0", "--auth-port=0", "--console-port=0"];
  const ended = await run(["start", "--json", ...args, "--auth-tls-port=0", "--ca-dir", join(file, "ca")]);
  const { event, code, message, file: named } = JSON.parse(ended.out);
  expect([ended.status, ended.out.split("\n").length, event, code]).toEqual([1, 2, "failed", "ca_unusable"]);
  expect(named).toBe(join(file, "ca"));
  expect(message).toContain(named);
  expect(ended.err).toBe(`${message}\n`);
});

test("start --lan shows the URL for a phone, as text and as a QR code", async () => {
  const server = await start(["--ephemeral", "--lan"]);
  const { urls } = JSON.parse((await run(["lan", "status", "--json", "--url", server.ready.consoleUrl])).out);
  if (urls.length > 0) {
    const [text] = await server.printed(/On a phone, open \S+ or scan:[\s\S]*Ctrl\+C/);
    expect(text).toContain(`${urls[0]}/emulator/hello?appId=demo-app`);
    expect(text).toContain("█");
  }
  await server.stop();
});

test("without --ca-dir the authority is in the user's own directory, next to the data", async () => {
  const home = freshPath("home");
  const env = process.platform === "win32" ? { LOCALAPPDATA: home } : { HOME: home };
  const server = await start(["--ephemeral", "--tls", "--auth-tls-port", "0"], env);
  const folder = { darwin: "Library/Application Support/Stagedoor CA", win32: "Stagedoor CA" }[
    String(process.platform)
  ];
  expect(await readdir(join(home, folder ?? ".local/share/stagedoor-ca"))).toEqual(["authority.pem"]);
  await server.stop();
});
