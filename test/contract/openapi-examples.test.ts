/** The documents as generators get them, and their examples, which work after a start with the demo data. */
import { describe, expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import { openApiDocument } from "#contract/documents/openapi.ts";
import { ADA } from "#contract/documents/openapi-examples.ts";
import { DEFAULT_APP } from "#contract/documents/openapi-service.ts";
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from "#contract/scalars.ts";
import { caller } from "#test/hosts/client.ts";
import { harness } from "#test/http/control/support.ts";

const at = harness();
const documents = caller(() => `${at.server.urls.console}/openapi`);
const object = (value: JsonValue | undefined): JsonObject => (isJsonObject(value) ? value : {});
const objects = (value: JsonValue | undefined): JsonObject[] => (isJsonArray(value) ? value.map(object) : []);
const urls = { admin: "http://admin.test", auth: "http://auth.test", console: "http://console.test" };

/** Every operation of the documents, without those that take away what others use. */
const OPERATIONS = (["admin", "auth", "emulator"] as const).flatMap((name) => {
  const document = openApiDocument(name, { version: "1.2.3", urls });
  return Object.entries(object(document["paths"])).flatMap(([path, item]) =>
    Object.entries(object(item)).map(([method, operation]) => {
      const { operationId, servers, ...shown } = object(operation);
      const [server] = objects(servers).length > 0 ? objects(servers) : objects(document["servers"]);
      return { id: String(operationId), base: String(server?.["url"]), path, method: method.toUpperCase(), shown };
    }),
  );
});

describe("without all=1, a document has nothing that stops Stagedoor or deletes what others may be using", () => {
  const drastic = Object.entries<Operation>(routes).flatMap(([id, row]) => (row.isDrastic === true ? [id] : []));

  test("but it has everything else", () => {
    expect(drastic).toEqual(expect.arrayContaining(["stop", "resetState", "clearPasscodes", "clearRequests"]));
    const all = (["admin", "auth", "emulator"] as const).flatMap((name) =>
      JSON.stringify(openApiDocument(name, { version: "1", urls }, DEFAULT_APP, true)).match(/"operationId":"\w+"/g),
    );
    const missing = all.filter((id) => !OPERATIONS.some((one) => `"operationId":"${one.id}"` === id));
    expect(missing.map((id) => /:"(\w+)"/.exec(id ?? "")?.[1]).sort()).toEqual([...drastic].sort());
  });

  test("over HTTP: all=1 has them, and other values are refused", async () => {
    const has = async (query: string) =>
      "/emulator/v1/stop" in (await documents("GET", `/emulator.json${query}`)).json.paths;
    expect([await has(""), await has("?all=0"), await has("?all=1"), await has("?version=3.0&all=1")]).toEqual([
      ...[false, false, true, true],
    ]);
    expect((await documents("GET", "/emulator.json?all=yes")).json).toEqual({ all: ["must be 0 or 1"] });
    expect((await documents("GET", "/emulator.json?version=3.0&version=3.1")).status).toBe(422);
    expect((await documents("GET", "/emulator.json?version=2.0")).json).toEqual({ version: ["must be 3.1 or 3.0"] });
    expect((await documents("GET", "/emulator.json?verson=3.0")).json.verson).toEqual([
      expect.stringMatching(/version/),
    ]);
    expect((await documents("GET", "/admin.json?version=3.1")).json.openapi).toBe("3.1.0");
    expect((await documents("GET", "/admin.json?version=3.0")).json.openapi).toBe("3.0.3");
    const ofApp = await documents("GET", "/auth.json?version=3.0&appId=demo-mail");
    expect(ofApp.json.paths["/v1/users/session"].post.requestBody.content["application/json"].example.appId).toBe(
      "demo-mail",
    );
  });
});

test("every parameter has an example", () => {
  for (const { id, shown } of OPERATIONS)
    for (const one of objects(shown["parameters"]))
      expect(one, `${id} ${String(one["name"])}`).toHaveProperty("example");
});

/** What the words `latest` and `before-login` in the examples mean. */
const prepare = async (): Promise<void> => {
  const { control, auth } = at;
  await control("DELETE", "/state");
  await control("POST", "/connections", { appId: "demo-app", userId: ADA, name: "Calendar" });
  await control("POST", "/sessions", { appId: "demo-app", userId: ADA });
  await control("PUT", "/snapshots/before-login?appId=demo-app");
  await auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone: "+12025550100" } });
  await control("POST", "/faults", { match: { path: "/nowhere" }, effect: { drop: true } });
};

/** Whether nothing was changed since. */
let isFresh = false;

/** Devices and certificates, which this machine may not have, and a moment that only the last mark knows. */
const ELSEWHERE = new Set(["adbReverse", "simulatorTrust", "readCaCertificate", "rewind", "authenticate"]);

test.each(OPERATIONS.map((one) => [one.id, one] as const))(
  "the examples of %s work, all at once",
  async (id, operation) => {
    if (!isFresh) await prepare();
    isFresh = operation.method === "GET";
    const { base, method, shown } = operation;
    const parameters = objects(shown["parameters"]);
    const exampleIn = (name: string) =>
      encodeURIComponent(String(parameters.find((one) => one["name"] === name)?.["example"]));
    const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => exampleIn(name));
    const query = parameters.flatMap(({ in: place, name }) =>
      place === "query" ? [`${String(name)}=${exampleIn(String(name))}`] : [],
    );
    const { content } = object(shown["requestBody"]);
    const { example } = object(object(content)["application/json"]);
    const { admin, auth, console } = at.server.urls;
    const host = { [urls.admin]: admin, [urls.auth]: auth, [urls.console]: console }[base];
    const stop = new AbortController();
    const answer = await fetch(`${host}${path}?${query.join("&")}`, {
      method,
      signal: stop.signal,
      headers: { Authorization: "Bearer sk_local_demo", "Content-Type": "application/json" },
      ...(example !== undefined && { body: JSON.stringify(example) }),
    });
    const said = id === "streamEvents" ? "" : await answer.text();
    stop.abort();
    if (ELSEWHERE.has(id)) expect([200, 401, 404, 409, 422], said).toContain(answer.status);
    else
      expect(
        Object.keys(object(shown["responses"])).filter((status) => Number(status) < 300),
        said,
      ).toContain(`${answer.status}`);
  },
);
