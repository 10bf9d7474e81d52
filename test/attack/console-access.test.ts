/**
 * The credentials of an open console. The token is on no command line, a code works once and briefly, and a browser's
 * cookie is neither.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { send } from "#test/http/guards/raw.ts";

let nowMs = 0;
let server: RunningServer;
let other: RunningServer;
const open = (): Promise<RunningServer> =>
  startInProcess({ config: { consoleHost: "127.0.0.1" }, monotonic: () => nowMs });
beforeAll(async () => {
  [server, other] = await Promise.all([open(), open()]);
});
afterAll(() => Promise.all([server.close(), other.close()]));

const ask: Call = caller(() => server.urls.console);
const port = (of: RunningServer): string => new URL(of.urls.console).port;
/** A browser's request when its user enters an address. */
const visit = (url: string) => ask("GET", url.slice(server.urls.console.length));
const status = async (cookie: string): Promise<number> =>
  (await ask("GET", "/emulator/v1/status", undefined, { Cookie: cookie })).status;
/** Signs a browser in. @returns its cookie as sent: name and value. */
const signIn = async (): Promise<string> => {
  const [pair = ""] = ((await visit(server.browserUrl())).headers.get("Set-Cookie") ?? "").split(";");
  return pair;
};

test("a preset token works, and start reports it", async () => {
  const preset = await startInProcess({ config: { consoleHost: "127.0.0.1", accessToken: "preset-token" } });
  try {
    const { console: url } = preset.urls;
    const ask = async (token: string): Promise<number> =>
      (await fetch(`${url}/emulator/v1/status`, { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([preset.accessToken, await ask("preset-token"), await ask("preset-tokem")]).toEqual([
      "preset-token",
      200,
      401,
    ]);
  } finally {
    await preset.close();
  }
});

describe("the cookie", () => {
  test("is HttpOnly and SameSite=Strict, and its name contains the port as the browser sees it", async () => {
    const led = await visit(server.browserUrl());
    expect([led.status, led.headers.get("Location")]).toEqual([303, "/"]);
    expect(led.headers.get("Set-Cookie")).toMatch(
      new RegExp(`^stagedoor-${port(server)}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/$`),
    );
    const forwarded = await send(server.urls.console, [
      `GET /?access_token=${server.accessToken} HTTP/1.1`,
      "Host: localhost:9000",
    ]);
    expect(forwarded.head).toMatch(/^Set-Cookie: stagedoor-9000=/im);
  });

  test("is a random id per browser, never the token or the code", async () => {
    const url = server.browserUrl();
    const set = (await visit(url)).headers.get("Set-Cookie") ?? "";
    const code = new URL(url).searchParams.get("access_code") ?? "";
    expect(code).toMatch(/^[\w-]{32}$/);
    for (const secret of [server.accessToken ?? "", code]) expect(set).not.toContain(secret);
    expect(await signIn()).not.toBe(await signIn());
  });

  test("works next to other cookies, but not with another value or another port's name", async () => {
    const pair = await signIn();
    const [name = "", value = ""] = pair.split("=");
    expect(await status(pair)).toBe(200);
    expect(await status(`theme=dark; stagedoor-1=x; ${pair}`)).toBe(200);
    for (const wrong of ["", "x", `${value}x`, value.toLowerCase(), server.accessToken ?? ""])
      expect(await status(`${name}=${wrong}`)).toBe(401);
    for (const wrongName of [`stagedoor-${port(other)}`, "stagedoor", "stagedoor_access", `x${name}`])
      expect(await status(`${wrongName}=${value}`)).toBe(401);
  });

  test("of another console on this host does not work here and does not replace ours", async () => {
    const ours = await signIn();
    const led = await fetch(other.browserUrl(), { redirect: "manual" });
    const [theirs = ""] = (led.headers.get("Set-Cookie") ?? "").split(";");
    expect(theirs.split("=")[0]).not.toBe(ours.split("=")[0]);
    expect(await status(theirs)).toBe(401);
    expect(await status(`${theirs}; ${ours}`)).toBe(200);
  });

  test("of an old browser is dropped after a hundred newer ones", async () => {
    const first = await signIn();
    for (let n = 0; n < 99; n++) await signIn();
    expect(await status(first)).toBe(200);
    await signIn();
    expect(await status(first)).toBe(401);
  });
});

describe("a one-time code", () => {
  test("works once: a replay returns 401 and sets nothing", async () => {
    const url = server.browserUrl();
    expect((await visit(url)).status).toBe(303);
    const replayed = await visit(url);
    expect([replayed.status, replayed.reason]).toEqual([401, "missing_access_token"]);
    expect(replayed.headers.get("Set-Cookie")).toBeNull();
  });

  test("leads to the page again when the same browser reloads", async () => {
    const url = server.browserUrl();
    const [pair = ""] = ((await visit(url)).headers.get("Set-Cookie") ?? "").split(";");
    const again = await ask("GET", new URL(url).search, undefined, { Cookie: pair });
    expect([again.status, again.headers.get("Location"), again.headers.get("Set-Cookie")]).toEqual([303, "/", null]);
  });

  test("works for one minute", async () => {
    const [early, late] = [server.browserUrl(), server.browserUrl()];
    nowMs += 59_999;
    expect((await visit(early)).status).toBe(303);
    nowMs += 1;
    expect((await visit(late)).status).toBe(401);
    nowMs -= 60_000;
    expect((await visit(late)).status).toBe(401);
  });

  test("works only for its console, and only for pages", async () => {
    const { search } = new URL(other.browserUrl());
    expect((await ask("GET", `/${search}`)).status).toBe(401);
    const own = new URL(server.browserUrl()).search;
    expect((await ask("GET", `/emulator/v1/status${own}`)).status).toBe(401);
    expect((await ask("POST", `/${own}`)).status).toBe(401);
    expect((await ask("HEAD", `/${own}`)).status).toBe(401);
    expect((await ask("GET", `/sessions${own}&q=a%20b`)).headers.get("Location")).toBe("/sessions?q=a+b");
  });

  test("does not exist where the console is closed", async () => {
    const closed = await startInProcess();
    expect(closed.browserUrl()).toBe(closed.urls.console);
    await closed.close();
  });
});

describe("a token in the URL", () => {
  test("is exchanged for a cookie, and the redirect drops it and stays on this host", async () => {
    const led = await ask("GET", `/sessions?access_token=${server.accessToken}&q=a%20b`);
    expect([led.status, led.headers.get("Location")]).toEqual([303, "/sessions?q=a+b"]);
    const [pair = ""] = (led.headers.get("Set-Cookie") ?? "").split(";");
    expect(await status(pair)).toBe(200);
    for (const path of ["//evil.example/", "/\\evil.example/", "//sessions"]) {
      const line = `GET ${path}?access_token=${server.accessToken} HTTP/1.1`;
      const { status: refused, head } = await send(server.urls.console, [line, "Host: localhost"]);
      expect([path, refused]).toEqual([path, 401]);
      expect(head).not.toMatch(/^(Location|Set-Cookie):/im);
    }
  });
});
