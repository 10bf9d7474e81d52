/** Public URLs reach everything that names a URL. */
import { expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import { caller } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { harness } from "./control/support.ts";
import { portOf, send } from "./guards/raw.ts";

const PUBLIC = {
  admin: "https://admin.qa.example.com",
  auth: "https://auth.qa.example.com:8443",
  console: "https://qa.example.com",
};
const at = harness({ config: { publicUrls: PUBLIC, allowHosts: ["admin.qa.example.com", "qa.example.com"] } });
const { auth, admin, control, code } = at;
const ADA = "+12025550100";

/** @returns a token, after a whole login. */
const signIn = async () => {
  const user = { phone: ADA };
  expect((await auth("POST", "/v1/users/session", { appId: "demo-app", user })).status).toBe(202);
  const signed = await auth("PUT", "/v1/users/session", { appId: "demo-app", user, passcode: await code(ADA) });
  return signed.json;
};
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
/** The addresses that exist only on this machine. */
const inside = () => {
  const ports = Object.values(at.server.urls).flatMap((url) => (typeof url === "string" ? [portOf(url)] : []));
  return new RegExp(`(127\\.0\\.0\\.1|localhost|\\[::1\\]):(${ports.join("|")})\\b`, "g");
};

test("tokens, keys and discovery name the public URLs", async () => {
  const { token } = await signIn();
  expect(claimsOf(token)).toMatchObject({ iss: PUBLIC.auth, aud: PUBLIC.admin });
  for (const path of ["/.well-known/openid-configuration", "/.well-known/oauth-authorization-server"]) {
    const { json } = await auth("GET", path);
    expect(json).toMatchObject({ issuer: PUBLIC.auth, jwks_uri: `${PUBLIC.auth}/.well-known/jwks.json` });
  }
  expect((await control("POST", "/sessions/introspect", { token })).json.active).toBe(true);
});

test("an app's own issuer below the public URL is answered as asked through the proxy", async () => {
  const issuer = `${PUBLIC.auth}/apps/demo-mail`;
  await control("PATCH", "/apps/demo-mail", { settings: { token: { issuer } } });
  const asked = await auth("GET", "/apps/demo-mail/.well-known/openid-configuration", undefined, {
    Host: new URL(PUBLIC.auth).host,
  });
  expect(asked.json).toMatchObject({ issuer, jwks_uri: `${issuer}/.well-known/jwks.json` });
});

test("status has the public URLs, and those that listen beside them", async () => {
  const { urls, listening } = (await control("GET", "/status")).json;
  expect(urls).toEqual({ ...PUBLIC, lan: [] });
  const { admin: a, auth: b, console: c } = at.server.urls;
  expect(listening).toEqual({ admin: a, auth: b, console: c });
  expect(at.server.publicUrls).toEqual(PUBLIC);
});

test("the links of a list are public, whatever Host the proxy passes", async () => {
  for (const Host of ["127.0.0.1", "admin.qa.example.com"]) {
    const { headers } = await admin("GET", "/v1/profiles?limit=1", undefined, { Host });
    expect(headers.get("Link")).toMatch(/^<https:\/\/admin\.qa\.example\.com\/v1\/profiles\?/);
  }
});

test("a request resent goes to the listener, and its curl command to the public URL", async () => {
  await signIn();
  const { items } = (await control("GET", "/requests?limit=1")).json;
  expect((await control("GET", `/requests/${items[0].id}/curl`)).text).toContain(`${PUBLIC.auth}/v1/users/session`);
  expect((await control("POST", `/requests/${items[0].id}/replay`, {})).json.status).toBe(401);
});

test("the console frames the public demo app, which lets the public console frame it", async () => {
  const page = await caller(() => at.server.urls.console)("GET", "/stage", undefined, { Accept: "text/html" });
  expect(page.headers.get("Content-Security-Policy")).toMatch(/frame-src [^;]*https:\/\/auth\.qa\.example\.com:8443/);
  const demo = await auth("GET", "/emulator/demo/");
  expect(demo.headers.get("Content-Security-Policy")).toMatch(/frame-ancestors [^;]*https:\/\/qa\.example\.com/);
});

test("hello behind the proxy is https already", async () => {
  await control("PUT", "/tls", { on: true });
  const { text } = await auth("GET", "/emulator/hello", undefined, { Host: "auth.qa.example.com:8443" });
  await control("PUT", "/tls", { on: false });
  expect(text).not.toMatch(/https:\/\/auth\.qa\.example\.com:(?!8443)/);
});

test("nothing that GET answers, on any listener, names an address of this machine, but `listening`", async () => {
  const { userId, id } = await signIn();
  await auth("GET", "/v1/profiles");
  const [row] = (await control("GET", "/requests?limit=1")).json.items;
  const values: Readonly<Record<string, string>> = { ":appId": "demo-app", ":userId": userId };
  const idOf = (path: string): string => (path.includes("/sessions/") ? id : row.id);
  const answered: string[] = [];
  for (const { listener, method, path } of Object.values<Operation>(routes)) {
    if (method !== "GET" || path.endsWith("/events")) continue;
    const asked = path.replace(/:\w+/g, (name) => values[name] ?? idOf(path));
    const call = { admin, auth, console: caller(() => at.server.urls.console) }[listener];
    const query = path.startsWith("/emulator/v1/") && path.includes(":") ? "?appId=demo-app" : "";
    // Hello says at which address it was asked.
    const host = listener === "auth" ? { Host: new URL(PUBLIC.auth).host } : {};
    const reply = await call("GET", `${asked}${/users|sessions/.test(path) ? query : ""}`, undefined, host);
    const { "content-security-policy": _, ...headers } = Object.fromEntries(reply.headers);
    // The demo app names the origins that may frame it, as its policy does: the console's own among them.
    const shown = reply.text.replace(/<meta name="stage-origins"[^>]*>/, "");
    const { listening: _l, ...body } = /\/(status|public-urls)$/.test(path) ? reply.json : { text: shown };
    // A row of the request log holds what was sent, `Host` too.
    const text = JSON.stringify({ headers, body })
      .replaceAll(/host[\\"]+:[\\"]+[\w.:]+/gi, "")
      // Who may frame the demo app, as in its policy: the console on this machine too.
      .replace(/<meta name=[\\"]+stage-origins.*?>/, "");
    const found = text.match(inside()) ?? [];
    expect([asked, reply.status, found]).toEqual([asked, reply.status, []]);
    if (reply.status === 200) answered.push(path);
  }
  expect(answered.length).toBeGreaterThan(30);
  for (const name of ["admin", "auth", "emulator", "control"]) {
    const reply = await caller(() => at.server.urls.console)("GET", `/openapi/${name}.json`);
    expect([name, reply.status, reply.text.match(inside())]).toEqual([name, 200, null]);
  }
  const lost = await auth("GET", "/v1/profiles");
  expect(lost.json.instruction).toContain(`${PUBLIC.admin}/v1/profiles`);
});

test("a port published under another number is framed under each name of the console", async () => {
  const publicUrls = { admin: null, auth: "http://127.0.0.1:14011", console: "http://127.0.0.1:14012" };
  const server = await startInProcess({ config: { publicUrls } });
  const page = await send(server.urls.console, ["GET /stage HTTP/1.1", "Host: localhost:14012"]);
  const moved = await send(server.urls.console, ["GET /stage HTTP/1.1", "Host: [::1]:14012"]);
  const demo = await send(server.urls.auth, ["GET /emulator/demo/ HTTP/1.1", "Host: localhost:14011"]);
  await server.close();
  for (const name of ["localhost", "127.0.0.1"]) {
    expect(page.head).toMatch(new RegExp(`frame-src [^;]*http://${name}:14011`));
    expect(demo.head).toMatch(new RegExp(`frame-ancestors [^;]*http://${name}:14012`));
  }
  expect(moved.head).toContain("Location: http://127.0.0.1:14012/stage");
});

test("a start names the public host that its listener would refuse, and the option that accepts it", async () => {
  const server = await startInProcess({ config: { publicUrls: PUBLIC, allowHosts: ["admin.qa.example.com"] } });
  await server.close();
  expect(server.notices).toEqual([
    "The console listener rejects the host of --public-console-url: add --allow-host qa.example.com.",
  ]);
  expect(at.server.notices).toEqual([]);
});

test("PUT public-urls sets them while it runs: tokens, discovery and status follow, and null ends it", async () => {
  const server = await startInProcess({});
  const put = (body: object) =>
    fetch(`${server.urls.console}/emulator/v1/public-urls`, {
      method: "PUT",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
  try {
    const auth = "http://localhost:49154";
    const { admin, console: own } = server.urls;
    expect(await (await put({ auth: `${auth}/` })).json()).toMatchObject({ urls: { admin, auth, console: own } });
    const issuer = async () => {
      const answer = await fetch(`${server.urls.auth}/.well-known/openid-configuration`);
      return (await answer.json()) as unknown;
    };
    expect(await issuer()).toMatchObject({ issuer: auth });
    const status = await fetch(`${server.urls.console}/emulator/v1/status`);
    expect(await status.json()).toMatchObject({ urls: { auth, admin }, listening: { auth: server.urls.auth } });
    expect((await put({ auth: "localhost:1" })).status).toBe(422);
    await put({ auth: null });
    expect(await issuer()).toMatchObject({ issuer: server.urls.auth });
  } finally {
    await server.close();
  }
});
