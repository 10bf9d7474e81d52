import { expect, test } from "vitest";
import { harness } from "../control/support.ts";
import { portOf, send } from "./raw.ts";

const at = harness();
const { control } = at;
/** Everything that a hostile request could have changed. */
const effects = async () => [
  (await control("GET", "/state?volatile=1")).text,
  (await control("GET", "/status")).json.seq,
  (await control("GET", "/clock")).json.offsetSeconds,
];
const ask = (line: string, headers: readonly string[], body = "") => {
  const length = body === "" ? [] : [`Content-Length: ${Buffer.byteLength(body)}`];
  const host = `Host: localhost:${portOf(at.server.urls.console)}`;
  return send(at.server.urls.console, [`${line} HTTP/1.1`, host, ...length, ...headers], body);
};
const JSON_TYPE = "Content-Type: application/json";
const own = () => `http://localhost:${portOf(at.server.urls.console)}`;

test.each([
  ["null", () => "null"],
  ["another host", () => "http://evil.example"],
  ["another port of localhost", () => "http://localhost:3000"],
  ["the same host with a scheme of programs", () => own().replace("http:", "app:")],
  ["the same machine under another name", () => own().replace("localhost", "127.0.0.1")],
  ["a prefix of it", () => own().slice(0, -1)],
  ["it with a suffix", () => `${own()}.evil.example`],
  ["an empty one", () => ""],
])("Origin: %s returns 403 before anything happens, on read and write", async (_, origin) => {
  const before = await effects();
  for (const [line, headers, body] of [
    ["GET /emulator/v1/apps", [], ""],
    ["GET /emulator/v1/events", [], ""],
    ["GET /openapi/control.json", [], ""],
    ["POST /emulator/v1/apps", [JSON_TYPE], '{"appId":"evil"}'],
    ["POST /emulator/v1/clock/advance", [JSON_TYPE], '{"seconds":60}'],
    ["DELETE /emulator/v1/state", [], ""],
    ["OPTIONS /emulator/v1/apps", ["Access-Control-Request-Method: POST"], ""],
  ] as const) {
    const reply = await ask(line, [`Origin: ${origin()}`, ...headers], body);
    expect([line, reply.status]).toEqual([line, 403]);
    expect(reply.head.toLowerCase()).toContain("emulator-reason: foreign_origin");
    expect(reply.head.toLowerCase()).not.toContain("access-control-");
  }
  expect(await effects()).toEqual(before);
});

test("a test's page is told where codes are read, another one what its proxy must pass", async () => {
  const said = async (origin: string): Promise<string> =>
    (await ask("GET /emulator/v1/passcodes", [`Origin: ${origin}`])).body;
  expect(await said("http://localhost:3000")).toContain("A test reads codes in its own process");
  expect(await said("https://stagedoor.example")).toContain("proxy_set_header Host");
});

test("its own Origin is accepted under every name it has", async () => {
  expect((await ask("GET /emulator/v1/apps", [`Origin: ${own()}`])).status).toBe(200);
  const made = await ask("POST /emulator/v1/apps", [`Origin: ${own()}`, JSON_TYPE], "{}");
  expect(made.status).toBe(201);
  const host = `127.0.0.1:${portOf(at.server.urls.console)}`;
  const reply = await send(at.server.urls.console, [
    "GET /emulator/v1/apps HTTP/1.1",
    `Host: ${host}`,
    `Origin: http://${host}`,
  ]);
  expect(reply.status).toBe(200);
});

test("behind a TLS proxy its own Origin is https, under every name it has", async () => {
  const at = own().replace("http:", "https:");
  expect((await ask("GET /assets/none.js", [`Origin: ${at}`])).status).toBe(404);
  expect((await ask("GET /emulator/v1/apps", [`Origin: ${at}`])).status).toBe(200);
  expect((await ask("POST /emulator/v1/apps", [`Origin: ${at}`, JSON_TYPE], "{}")).status).toBe(201);
});

test("a proxy may name the default port of its scheme, and no other", async () => {
  const ask = async (host: string, origin: string) =>
    (await send(at.server.urls.console, ["GET /emulator/v1/apps HTTP/1.1", `Host: ${host}`, `Origin: ${origin}`]))
      .status;
  expect(await ask("localhost:443", "https://localhost")).toBe(200);
  expect(await ask("localhost:80", "http://localhost")).toBe(200);
  expect(await ask("localhost:443", "http://localhost")).toBe(403);
  expect(await ask("localhost:80", "https://localhost")).toBe(403);
  expect(await ask("localhost:8443", "https://localhost")).toBe(403);
});

test("the refusal of a proxy's request names the header that the proxy must pass", async () => {
  const reply = await ask("POST /emulator/v1/apps", ["Origin: https://qa.example.com", JSON_TYPE], "{}");
  const { instruction } = JSON.parse(reply.body);
  expect(instruction).toContain("https://qa.example.com");
  expect(instruction).toContain(`Host header is localhost:${portOf(at.server.urls.console)}`);
  expect(instruction).toContain("proxy_set_header Host $http_host");
  for (const origin of ["null", "", "https://x.example/<script>", "http://[", "x".repeat(9_000)])
    expect(JSON.parse((await ask("GET /emulator/v1/apps", [`Origin: ${origin}`])).body).instruction).not.toContain(
      "proxy",
    );
});

const navigation = (site: string, mode = "navigate", dest = "document") => [
  `Sec-Fetch-Site: ${site}`,
  `Sec-Fetch-Mode: ${mode}`,
  `Sec-Fetch-Dest: ${dest}`,
];

test.each([
  // Its own pages, and addresses typed by people.
  ["GET /emulator/v1/apps", navigation("same-origin", "cors", "empty"), 200],
  ["GET /emulator/v1/apps", navigation("none"), 200],
  ["GET /", navigation("none"), 200],
  ["POST /emulator/v1/apps", navigation("same-origin", "cors", "empty"), 201],
  // Other pages: another port of this machine is another origin of the same site.
  ["GET /emulator/v1/apps", navigation("same-site", "cors", "empty"), 403],
  ["GET /emulator/v1/apps", navigation("cross-site", "no-cors", "image"), 403],
  ["GET /emulator/v1/apps", navigation("cross-site", "no-cors", "script"), 403],
  ["GET /emulator/v1/passcodes/latest", navigation("cross-site", "cors", "empty"), 403],
  ["GET /emulator/v1/events", navigation("cross-site", "cors", "empty"), 403],
  ["POST /emulator/v1/apps", navigation("cross-site"), 403],
  ["POST /emulator/v1/apps", navigation("same-site", "no-cors", "empty"), 403],
  ["GET /emulator/v1/apps", ["Sec-Fetch-Site: odd"], 403],
  // Links from anywhere can lead to a page of the UI, but not to a call, and no page can be framed.
  ["GET /", navigation("cross-site"), 200],
  ["GET /users/sessions/123", navigation("same-site"), 200],
  ["GET /sessions/123", navigation("same-site"), 302],
  ["GET /emulator/v1/apps", navigation("cross-site"), 403],
  ["GET /openapi/control.json", navigation("cross-site"), 403],
  ["GET /assets/index.js", navigation("cross-site"), 403],
  ["GET /v1/profiles", navigation("cross-site"), 403],
  ["GET /", navigation("cross-site", "navigate", "iframe"), 403],
  ["GET /", navigation("cross-site", "no-cors", "image"), 403],
  ["POST /", navigation("cross-site"), 403],
] as const)("%s with %j returns %i", async (line, headers, status) => {
  const writes = line.startsWith("POST");
  const before = await effects();
  const reply = await ask(line, [...headers, ...(writes ? [JSON_TYPE] : [])], writes ? "{}" : "");
  expect(reply.status).toBe(status);
  if (status === 403) expect(await effects()).toEqual(before);
});

test.each([
  ["text/plain", '{"seconds":60}'],
  ["text/plain;charset=UTF-8", '{"seconds":60}'],
  ["application/x-www-form-urlencoded", "seconds=60"],
  ["multipart/form-data; boundary=x", '--x\r\nContent-Disposition: form-data; name="seconds"\r\n\r\n60\r\n--x--\r\n'],
  ["text/json", '{"seconds":60}'],
  ["application/json; charset=utf-16", '{"seconds":60}'],
  ["", '{"seconds":60}'],
])("a body of %j returns 415 without an effect, even where no body is read", async (type, body) => {
  const { userId } = (await control("GET", "/profiles?appId=demo-app&limit=1")).json.items[0];
  const passcode = (await control("POST", "/passcodes", { appId: "demo-app", userId })).json;
  const before = await effects();
  const kind = type === "" ? [] : [`Content-Type: ${type}`];
  for (const line of [
    "POST /emulator/v1/clock/advance",
    "POST /emulator/v1/apps",
    "PUT /emulator/v1/state",
    "POST /emulator/v1/apps/demo-app/secret",
    `POST /emulator/v1/passcodes/${passcode.id}/expire`,
    "DELETE /emulator/v1/state",
  ]) {
    const reply = await ask(line, kind, body);
    expect([line, reply.status]).toEqual([line, 415]);
  }
  expect(await effects()).toEqual(before);
});

test("console and admin never send a CORS header", async () => {
  const preflight = ["Access-Control-Request-Method: POST", "Access-Control-Request-Headers: authorization"];
  for (const url of [at.server.urls.console, at.server.urls.admin])
    for (const line of ["GET /", "GET /emulator/v1/apps", "GET /v1/profiles", "OPTIONS /v1/profiles", "OPTIONS /"])
      for (const origin of [[], [`Origin: ${url}`], ["Origin: http://evil.example"]]) {
        const headers = [`Host: ${new URL(url).host}`, "Authorization: Bearer sk_local_demo", ...origin, ...preflight];
        const { head, status } = await send(url, [`${line} HTTP/1.1`, ...headers]);
        expect(head.toLowerCase(), line).not.toContain("access-control-");
        expect(status).toBeLessThan(500);
      }
});

test("GET and HEAD change nothing", async () => {
  const { items } = (await control("GET", "/profiles?appId=demo-app&limit=1")).json;
  const [{ userId }] = items;
  const { id } = (await control("POST", "/sessions", { appId: "demo-app", userId })).json;
  const before = await effects();
  const paths = ["apps/demo-app/secret", `sessions/${id}/expire`, `sessions/${id}/token`, "clock/advance", "state"];
  for (const path of [...paths, "apps", "profiles/delete", "sessions/introspect", "passcodes/latest?wait=0", "clock"])
    for (const method of ["GET", "HEAD"]) {
      const { status } = await ask(`${method} /emulator/v1/${path}`, []);
      expect([200, 404, 405]).toContain(status);
    }
  expect(await effects()).toEqual(before);
});
