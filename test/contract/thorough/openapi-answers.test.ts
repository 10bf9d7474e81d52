/** What an app's own documents say is what it answers, whatever its settings. */
import { expect, test } from "vitest";
import { operationsOf } from "#test/fuzz/operations.ts";
import { schemaFault } from "#test/fuzz/validators.ts";
import { caller, type Reply } from "#test/hosts/client.ts";
import { harness, PHONE, type User } from "#test/http/decisions/support.ts";

const { app: newApp, auth, control, server } = harness();
const MAIL = "maya@example.com";
const openApi = caller(() => `${server().urls.console}/openapi`);

/** @returns a check of responses, and of bodies, against the documents of one app. */
const described = async (appId: string) => {
  const of = async (name: "admin" | "auth") =>
    operationsOf(name, (await openApi("GET", `/${name}.json?appId=${appId}`)).json);
  const operations = [...(await of("admin")), ...(await of("auth"))];
  const operation = (id: string) => {
    const found = operations.find((one) => one.id === id);
    if (found === undefined) throw new Error(`${appId} has no ${id}`);
    return found;
  };
  return {
    ids: operations.map(({ id }) => id),
    operation,
    parameters: (id: string) => operation(id).parameters.map(({ name }) => name),
    /** @returns why the body of a request is not as documented. */
    bodyFault: (id: string, body: unknown) => schemaFault(operation(id).body ?? { not: {} }, body),
    /** Expects a response as documented, with this status. */
    check: (id: string, reply: Reply, status: number) => {
      expect(reply.status, reply.text).toBe(status);
      const answer = operation(id).answers.get(status);
      expect(answer, `${id} ${status} is documented`).toBeDefined();
      const schema = answer?.content["application/json"];
      expect(schema === undefined, `${id} ${status} has no body`).toBe(reply.text === "");
      if (schema !== undefined)
        expect(schemaFault(schema, reply.json), `${id} ${status} ${reply.text}`).toBeUndefined();
    },
  };
};

/** The wire shapes that a client may have, with the bodies that they take. */
const SHAPES: readonly [string, User, (appId: string, passcode?: string) => User][] = [
  ["the default", {}, (appId, passcode) => ({ appId, user: { phone: PHONE }, ...(passcode && { passcode }) })],
  [
    "flat, in an envelope, 201",
    { envelope: "session", appIdField: "clientId", userField: null, signUpStatus: 201, authenticateStatus: 201 },
    (clientId, passcode) => ({ session: { clientId, phone: PHONE, ...(passcode && { passcode }) } }),
  ],
  [
    "snake_case, the passcode inside of the user",
    { appIdField: "app_id", userField: "end_user", passcodeField: "end_user.one_time_code" },
    (app_id, passcode) => ({ app_id, end_user: { phone: PHONE, ...(passcode && { one_time_code: passcode }) } }),
  ],
  [
    "the passcode in an object of its own",
    { passcodeField: "proof.code" },
    (appId, passcode) => ({ appId, user: { phone: PHONE }, ...(passcode && { proof: { code: passcode } }) }),
  ],
];

test.each(SHAPES)("wire, %s: a whole login is as documented", async (_, wire, body) => {
  const { appId } = await newApp({ settings: { wire } });
  const { check, bodyFault } = await described(appId);
  const [signUp, signIn] = [wire["signUpStatus"], wire["authenticateStatus"]].map((status) => Number(status ?? 200));
  expect(bodyFault("startSession", body(appId))).toBeUndefined();
  expect(bodyFault("startSession", { application: appId })).toMatch(/required/);
  check("startSession", await auth("POST", "/v1/users/session", body(appId)), signUp ?? 0);
  check("startSession", await auth("POST", "/v1/users/session", body(appId)), 202);
  const { code } = (await control("GET", `/passcodes/latest?appId=${appId}`)).json;
  expect(bodyFault("authenticate", body(appId, code))).toBeUndefined();
  expect(bodyFault("authenticate", body(appId))).toMatch(/required/);
  check("authenticate", await auth("PUT", "/v1/users/session", body(appId, "x")), 401);
  check("authenticate", await auth("PUT", "/v1/users/session", body(appId)), 422);
  check("authenticate", await auth("PUT", "/v1/users/session", body(appId, code)), signIn ?? 0);
});

test("strategy: the username is required, and only that", async () => {
  for (const strategy of ["phone", "email"]) {
    const { appId } = await newApp({ strategy });
    const { bodyFault } = await described(appId);
    const [byPhone, byMail] = [{ phone: PHONE }, { email: MAIL, name: null }].map((user) =>
      bodyFault("startSession", { appId, user }),
    );
    expect([byPhone === undefined, byMail === undefined]).toEqual([strategy === "phone", strategy === "email"]);
  }
});

test.each([
  ["default", {}, ["page", "limit"], "?page=1&limit=2"],
  ["in an envelope, by offset", { envelope: "data", pageParameter: "offset" }, ["offset", "limit"], "?offset=1"],
  ["other names", { pageParameter: "pageNumber", limitParameter: "perPage" }, ["pageNumber", "perPage"], "?perPage=1"],
])("list, %s: parameters and shape are as documented", async (_, list, names, query) => {
  const app = await newApp({ settings: { list } });
  const { check, parameters } = await described(app.appId);
  expect(parameters("listProfiles")).toEqual(names);
  check("createProfile", await app.admin("POST", "/v1/profiles", { phone: PHONE }), 201);
  check("listProfiles", await app.admin("GET", `/v1/profiles${query}`), 200);
  check("listProfiles", await app.admin("GET", "/v1/profiles?limit=x&perPage=x"), 422);
});

test.each([
  ["default", {}],
  ["a short body", { shape: "error" }],
  ["nested fields", { fields: "nested" }],
  ["both", { shape: "error", fields: "nested" }],
])("errors, %s: each refusal is as documented", async (_, errors) => {
  const app = await newApp({ settings: { errors } });
  const { check, operation } = await described(app.appId);
  const profiles = "/v1/profiles";
  check("createProfile", await app.admin("POST", profiles, { phone: "x" }), 422);
  check("createProfile", await app.admin("POST", profiles, "{"), 400);
  check("createProfile", await app.admin("POST", profiles, "{}", { "Content-Type": "text/html" }), 415);
  check("createProfile", await app.admin("POST", profiles, {}, { Authorization: "Bearer nobody" }), 401);
  check("retrieveProfile", await app.admin("GET", `${profiles}/ghost`), 404);
  check("startSession", await app.start({ phone: "x" }), 422);
  check("startSession", await auth("POST", "/v1/users/session", {}), 422);
  check("startSession", await auth("POST", "/v1/users/session", "{"), 400);
  check("startSession", await auth("POST", "/v1/users/session", { appId: "ghost" }), 401);
  check("authenticate", await app.authenticate({ phone: PHONE }, "123456"), 401);
  const body = "shape" in errors ? "error" : "instruction";
  const unknown = operation("retrieveProfile").answers.get(404)?.content["application/json"];
  expect(schemaFault(unknown ?? {}, { [body]: "x", message: "x" })).toBeUndefined();
  expect(schemaFault(unknown ?? {}, { message: "x" })).toMatch(/required/);
});

test.each([400, 401, 403, 404, 422])(
  "authenticate.refusedStatus %i is documented, no other is",
  async (refusedStatus) => {
    const app = await newApp({ settings: { authenticate: { refusedStatus } } });
    const { check, operation } = await described(app.appId);
    check("authenticate", await app.authenticate({ phone: PHONE }, "123456"), refusedStatus);
    const others = [403, 404].filter((status) => status !== refusedStatus);
    for (const status of others) expect(operation("authenticate").answers.has(status), `${status}`).toBe(false);
  },
);

test("unknownAppStatus: the oldest app that sets one decides, in every app's document", async () => {
  const { patch } = await newApp({ settings: { unknownAppStatus: 422 } });
  const { appId } = await newApp();
  const { check } = await described(appId);
  check("startSession", await auth("POST", "/v1/users/session", { appId: "ghost", user: { phone: PHONE } }), 422);
  await patch({ settings: { unknownAppStatus: null } });
});

test("profile.required, update.null, unknownFields, validation: bodies are as documented", async () => {
  const app = await newApp({
    settings: {
      profile: { required: ["phone", "name"] },
      update: { null: "refuse" },
      unknownFields: "refuse",
      validation: "lenient",
    },
  });
  const { bodyFault, check } = await described(app.appId);
  const attempts: User[] = [
    { phone: PHONE, name: "Ada" },
    { phone: "1", name: "A" },
    { phone: PHONE },
    {},
    { nick: 1 },
  ];
  for (const body of attempts) {
    const isGood = bodyFault("createProfile", body) === undefined;
    check("createProfile", await app.admin("POST", "/v1/profiles", body), isGood ? 201 : 422);
  }
  const [{ userId }] = (await app.admin("GET", "/v1/profiles")).json;
  for (const body of [{ name: "B" }, { email: null }, { name: null }, { metadata: { a: null } }, { nick: 1 }]) {
    const isGood = bodyFault("updateProfile", body) === undefined;
    check("updateProfile", await app.admin("PUT", `/v1/profiles/${userId}`, body), isGood ? 200 : 422);
  }
});

/** @returns the reasons of `startSession` with this status. */
const reasonsOf = ({ operation }: Awaited<ReturnType<typeof described>>, status: number): string[] =>
  [...(operation("startSession").answers.get(status)?.description ?? "").matchAll(/^- `(\w+)`/gm)].map(
    ([, code = ""]) => code,
  );

test("signUp, limits, sessionExtensions: what can happen is documented, and nothing else", async () => {
  const usual = await newApp();
  const plain = await described(usual.appId);
  const service = ["listProfiles", "createProfile", "retrieveProfile", "updateProfile", "deleteProfile"];
  expect([...plain.ids].sort()).toEqual([...service, "startSession", "authenticate"].sort());
  for (const status of [201, 403]) expect(plain.operation("startSession").answers.has(status)).toBe(false);
  // Without limits of its own only with 10,000 active codes, or for an app of the join token, when their memory is full.
  expect(reasonsOf(plain, 429)).toEqual(["too_many_passcodes", "share_used_up"]);
  const settings = { signUp: "closed", limits: { requestsPerMinute: 1 }, sessionExtensions: true };
  const app = await newApp({ settings });
  const limited = await described(app.appId);
  const { check, ids } = limited;
  check("startSession", await app.start({ phone: PHONE }), 403);
  check("startSession", await app.start({ phone: PHONE }), 429);
  expect(reasonsOf(limited, 429)).toEqual(["rate_limited", "too_many_passcodes", "share_used_up"]);
  expect(ids).toEqual(expect.arrayContaining(["readSession", "endSession"]));
});

test("an unknown app is a 404 that lists the apps; no document has a secret", async () => {
  for (const name of ["admin", "auth", "emulator", "control"]) {
    const missing = await openApi("GET", `/${name}.json?appId=ghost`);
    expect([missing.status, missing.reason]).toEqual([404, "unknown_record"]);
    expect(missing.json.instruction).toMatch(/^No app "ghost"/);
    const app = await newApp();
    expect((await openApi("GET", `/${name}.json?appId=${app.appId}`)).text).not.toContain(app.secret);
  }
});

test("what is Stagedoor's own on auth is in the emulator's document, with auth's URL", async () => {
  const { json } = await openApi("GET", "/emulator.json");
  expect((await openApi("GET", "/control.json")).json).toEqual(json);
  for (const path of ["/.well-known/jwks.json", "/emulator/hello/ca.crt", "/emulator/app"])
    expect(json.paths[path].get.servers).toEqual([{ url: server().urls.auth }]);
  expect(json.paths["/v1/users/session"]).toBeUndefined();
  const stream = json.paths["/emulator/v1/events"].get.responses[200].content["text/event-stream"];
  expect(stream.schema).toEqual({ $ref: "#/components/schemas/Event" });
  for (const name of ["admin", "auth"])
    expect(Object.keys((await openApi("GET", `/${name}.json`)).json.paths).every((path) => /^\/v1\//.test(path))).toBe(
      true,
    );
});

test("each app's document has its own id, and follows its settings at once", async () => {
  const [one, same, other] = [await newApp(), await newApp(), await newApp({ strategy: "email" })];
  const exampleOf = async ({ appId }: { readonly appId: string }) => {
    const { paths } = (await openApi("GET", `/auth.json?appId=${appId}`)).json;
    return paths["/v1/users/session"].post.requestBody.content["application/json"].example;
  };
  for (let n = 0; n < 2; n++) {
    expect(await exampleOf(one)).toEqual({ appId: one.appId, user: { phone: "+12025550100" } });
    expect(await exampleOf(same)).toEqual({ appId: same.appId, user: { phone: "+12025550100" } });
    expect(await exampleOf(other)).toEqual({ appId: other.appId, user: { email: "ada@example.com" } });
  }
  await one.patch({ settings: { wire: { appIdField: "clientId" } } });
  expect(await exampleOf(one)).toEqual({ clientId: one.appId, user: { phone: "+12025550100" } });
  // More settings than are kept.
  for (let n = 1; n <= 30; n++) {
    await same.patch({ settings: { wire: { appIdField: `id${n}` } } });
    expect(await exampleOf(same)).toMatchObject({ [`id${n}`]: same.appId });
  }
  expect(await exampleOf(other)).toMatchObject({ appId: other.appId });
});
