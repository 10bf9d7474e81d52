/** Everything that people, pages and programs ask of a Stagedoor that stands elsewhere, each tried once. */
import type { Readable } from "node:stream";
import { expect } from "vitest";
import { freshPhone, until } from "#test/http/control/support.ts";
import { type Client, type Sent, whole } from "./ask.ts";

/** A Stagedoor as it is seen from outside. */
export interface Place {
  readonly client: Client;
  /** The URLs outside. */
  readonly urls: { readonly admin: string; readonly auth: string; readonly console: string };
  /** Authorises the console's calls. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The host and port of each listener, which nobody outside may be given. */
  readonly inside: readonly string[];
}

/** The app of the fixture: a tour signs its users in. */
export const APP = {
  appId: "qa",
  secret: "sk_of_the_tests",
  profiles: [{ phone: "+12025550100", name: "Ada" }],
} as const;

const BIG = Array.from({ length: 2_000 }, (_, i) => ({
  phone: `+1303555${String(i).padStart(4, "0")}`,
  metadata: { text: "x".repeat(10_000) },
}));

/** @returns what a stream has sent so far, as it arrives. */
const gathered = (stream: Readable): (() => string) => {
  let all = "";
  stream.setEncoding("utf8").on("data", (chunk: string) => {
    all += chunk;
  });
  return () => all;
};

/** Tries it all. @throws AssertionError for what does not work, or names an address inside. */
export const tour = async ({ client, urls, headers = {}, inside }: Place): Promise<void> => {
  const addresses = inside.flatMap((host) => [host, host.replace("127.0.0.1", "localhost")]);
  const seen = async (url: string, sent?: Sent) => {
    const reply = await whole(await client.ask(url, sent));
    // Who may frame a page, and whom it frames: also those on the same machine.
    const { "content-security-policy": _, ...rest } = reply.headers;
    const shown = JSON.stringify(rest) + reply.text.replace(/<meta name="stage-origins"[^>]*>/, "");
    expect([url, addresses.filter((address) => shown.includes(address))]).toEqual([url, []]);
    return reply;
  };
  /** Gets a page and the first script that it names. */
  const page = async (url: string) => {
    const got = await seen(url, { headers: { ...headers, Accept: "text/html" } });
    expect([url, got.status]).toEqual([url, 200]);
    const script = new URL(/<script type="module"[^>]* src="([^"]+)"/.exec(got.text)?.[1] ?? "no script", url).href;
    // A browser names the page's origin where a script is a module.
    const { status } = await seen(script, { headers: { ...headers, Origin: new URL(url).origin } });
    expect([script, status]).toEqual([script, 200]);
    return got;
  };
  const own = { ...headers, Origin: urls.console };
  const control = (path: string, sent?: Sent) =>
    client.ask(`${urls.console}/emulator/v1${path}`, { ...sent, headers: own });

  await page(`${urls.console}/codes`);
  const stage = await page(`${urls.console}/stage`);
  expect(stage.headers["content-security-policy"]).toMatch(new RegExp(`frame-src [^;]*${urls.auth}`));
  const demo = await page(`${urls.auth}/emulator/demo/?appId=${APP.appId}`);
  expect(demo.headers["content-security-policy"]).toMatch(new RegExp(`frame-ancestors [^;]*${urls.console}`));
  const styled = await seen(`${urls.auth}/emulator/app?appId=${APP.appId}`);
  expect(styled.status).toBe(200);

  const stream = await control(`/events?appId=${APP.appId}`);
  expect(stream.status).toBe(200);
  const heard = gathered(stream.body);
  const user = { appId: APP.appId, user: { phone: freshPhone() } };
  const session = `${urls.auth}/v1/users/session`;
  const json = { Origin: urls.auth };
  expect((await seen(session, { method: "POST", body: user, headers: json })).status).toBe(200);
  // Read as it comes: on Node 24 an HTTP/2 response that nobody reads can be closed before its body is.
  const wait = control(`/passcodes/latest?to=${encodeURIComponent(user.user.phone)}&after=0&wait=30000`).then(whole);
  // The demo app in a browser asks first.
  const preflight = {
    ...json,
    "Access-Control-Request-Method": "PUT",
    "Access-Control-Request-Headers": "content-type",
  };
  expect((await seen(session, { method: "OPTIONS", headers: preflight })).status).toBe(204);
  expect((await seen(session, { method: "POST", body: user, headers: json })).status).toBe(202);
  const { code: passcode } = (await wait).json;
  const signed = await seen(session, { method: "PUT", body: { ...user, passcode }, headers: json });
  expect(signed.status).toBe(200);
  const claims = JSON.parse(Buffer.from(signed.json.token.split(".")[1], "base64url").toString());
  expect(claims).toMatchObject({ iss: urls.auth, aud: urls.admin });
  expect((await seen(`${urls.auth}/.well-known/openid-configuration`)).json.issuer).toBe(urls.auth);
  await until(heard, (all) => all.includes('"type":"session.put"'));
  // Events arrive while others ask over the same connection; the stream has not ended by itself.
  expect(stream.body.readableEnded).toBe(false);
  stream.body.destroy();

  const secret = { Authorization: `Bearer ${APP.secret}` };
  const list = await seen(`${urls.admin}/v1/profiles?limit=1`, { headers: secret });
  expect([list.status, list.headers["link"]]).toEqual([200, expect.stringContaining(`<${urls.admin}/v1/`)]);
  const next = /<([^>]+)>; rel="next"/.exec(String(list.headers["link"]))?.[1] ?? "no link";
  expect((await seen(next, { headers: secret })).status).toBe(200);

  const body = { mode: "merge", state: { apps: [{ appId: "big", profiles: BIG }] } };
  expect((await whole(await control("/state", { method: "PUT", body }))).status).toBe(200);
  const stored = await whole(await control("/profiles?appId=big&limit=1"));
  expect(stored.json.total).toBe(BIG.length);
  expect((await control("/apps/big", { method: "DELETE" })).status).toBe(204);
};
