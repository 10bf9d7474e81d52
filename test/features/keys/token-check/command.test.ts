/** `stagedoor token-check URL`: calls from its own machine, and exits with a status for the result. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { clean, freshPath, PROGRAM, run, SCRIPT, type Started, start } from "#test/cli/support.ts";
import { asGraphql, keysOf, keysOnce, listenWith, plainly, redirecting, verifier } from "#test/http/tokens/backends.ts";

let started: Started;
beforeAll(async () => {
  started = await start(["--data", freshPath()]);
});

const check = (...args: readonly string[]) => run(["token-check", ...args, "--url", started.ready.consoleUrl]);
const right = (jwks = keysOf(started.ready.authUrl)) => {
  const { authUrl, adminUrl } = started.ready;
  return verifier(authUrl, { issuer: authUrl, audience: adminUrl }, jwks);
};

const published = async (): Promise<string[]> => {
  const { keys } = await (await fetch(`${started.ready.authUrl}/.well-known/jwks.json`)).json();
  return keys.map(({ kid }: { kid: string }) => kid);
};

describe("token-check", () => {
  test("prints a table and exits with 0 for a backend that verifies everything", async () => {
    const { url } = await listenWith(plainly(right()));
    const { status, out, err } = await check(url);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toMatch(/^ {3}valid token +200 +accepted$/m);
    expect(out).toMatch(/^ {3}algNone +401 +refused$/m);
    expect(out).toMatch(/^ {3}revoked +200 +accepted +advice only$/m);
    expect(out).toMatch(/\nThe backend accepts the valid token and refuses the invalid ones\.\n$/);
  });

  test("exits with 1 and names the accepted token for a backend that skips the audience", async () => {
    const { authUrl } = started.ready;
    const { url } = await listenWith(plainly(verifier(authUrl, { issuer: authUrl })));
    const { status, out } = await check(url);
    expect(status).toBe(1);
    expect(out).toMatch(/^✗ {2}wrongAudience +200 +accepted +must be refused: /m);
    expect(out).toMatch(/accepts 2 tokens that it must refuse\.\n$/);
    const json = await check(url, "--json");
    expect(json.status).toBe(1);
    expect(JSON.parse(json.out)).toMatchObject({ ok: false, items: expect.arrayContaining([]) });
    expect(JSON.parse(json.out).items).toHaveLength(17);
  });

  test("supports GraphQL, redirects, another user and another header", async () => {
    const graphql = await listenWith(asGraphql(right()));
    const body = '{"query":"{ me { id } }"}';
    expect((await check(graphql.url, "--body", body, "--to", "+12025550101")).status).toBe(0);
    expect(graphql.seen[0]).toMatchObject({ method: "POST", body });
    const other = await listenWith(plainly(async () => true));
    const { url } = await listenWith(redirecting(right(), other.url));
    const { status, out } = await check(url, "--method", "get");
    expect([status, other.seen]).toEqual([0, []]);
    expect(out).toMatch(/but refuses 11 tokens without 401 or 403/);
    const seen = await listenWith(plainly(async () => true));
    await check(seen.url, "--header", "X-Token");
    expect(seen.seen[0]?.headers["x-token"]).toMatch(/^ey/);
  });

  test("--rotate tries a new key and a retired one, and leaves the keys as they were", async () => {
    const before = await published();
    const { url } = await listenWith(plainly(right(keysOf(started.ready.authUrl, { cooldownDuration: 0 }))));
    const { status, out, err } = await check(url, "--rotate");
    expect([status, err]).toEqual([0, ""]);
    expect(out).toMatch(
      /^ {3}valid token .*\n {3}newKey +200 +accepted\n {3}retiredKey +200 +accepted +advice only\n/m,
    );
    expect(await published()).toEqual(before);
    const once = await listenWith(plainly(right(await keysOnce(started.ready.authUrl, "start"))));
    const refused = await check(once.url, "--rotate", "--cooldown", "0");
    expect(refused).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^The new key was not accepted\. Trying again/),
    });
    expect(refused.out).toMatch(/^✗ {2}newKey +401 +refused +must be accepted: /m);
    expect(refused.out).toMatch(/\nThe backend does not accept a token of a new key, .*cooldown of its library\.\n$/);
    expect(await published()).toEqual(before);
    expect((await check(url, "--rotate", "--cooldown", "61")).status).toBe(2);
  });

  test("--rotate ends with the loan when it is interrupted", async () => {
    const before = await published();
    let reach = (): void => {};
    const reached = new Promise<void>((resolve) => {
      reach = resolve;
    });
    const backend = await listenWith(() => (_req, res) => {
      if (backend.seen.length === 1) res.end("{}");
      else reach();
    });
    const args = [...SCRIPT, "token-check", backend.url, "--rotate", "--url", started.ready.consoleUrl];
    const child = spawn(PROGRAM, args, { env: clean() });
    const ended = Promise.all([once(child, "exit"), text(child.stderr)]);
    await reached;
    expect(await published()).toHaveLength(before.length + 1);
    child.kill("SIGINT");
    expect(await ended).toEqual([[1, null], "Interrupted.\n"]);
    expect(await published()).toEqual(before);
    const { items } = await connect(started.ready.consoleUrl).sessions.list({ limit: 1 });
    expect(items[0]).toMatchObject({ state: "revoked" });
  });

  test("reports an obstacle and exits with 1", async () => {
    const hangsUp = await listenWith(() => (req) => req.socket.destroy());
    expect(await check(hangsUp.url)).toMatchObject({
      status: 1,
      out: expect.stringMatching(/^The backend did not respond /),
    });
    expect(await check("nonsense")).toMatchObject({ status: 2, err: expect.stringMatching(/^The URL must be a URL /) });
    expect(await check(hangsUp.url, "--method", "TRACE")).toMatchObject({
      status: 2,
      err: expect.stringMatching(/--method/),
    });
    expect(await check(hangsUp.url, "--to", "+19995550100")).toMatchObject({
      status: 1,
      err: expect.stringMatching(/No user/),
    });
    expect(await check(hangsUp.url, "--app", "ghost")).toMatchObject({
      status: 1,
      err: expect.stringMatching(/ghost/),
    });
  });
});
