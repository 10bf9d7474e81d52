/**
 * Ten slips as people asked about them in public, with APIs like this one: supabase, Shopify, OneSignal and
 * one-time passcodes in general. They were written down after the advice was.
 */
import { describe, expect, test } from "vitest";
import type { Advice } from "#contract/control/requests.ts";
import { send } from "#test/http/guards/raw.ts";
import { harness, OTHER_PHONE, PHONE, SESSION } from "../http/decisions/support.ts";

const { app: newApp, auth, control, admin: anyAdmin, server } = harness();
const EMAIL = "ada@example.com";

/** @returns an app with a user, an active code, and what sends a request and then what its advice says to send. */
const stage = async (strategy: "phone" | "email") => {
  const { appId, secret, sentCode, admin, logged } = await newApp({
    strategy,
    settings: { "passcode.fixed": "482917" },
  });
  await admin("POST", "/v1/profiles", { name: "Ada", phone: PHONE, email: EMAIL });
  await admin("POST", "/v1/profiles", { name: "Grace", phone: OTHER_PHONE, email: "grace@example.com" });
  await sentCode({ [strategy]: strategy === "phone" ? PHONE : EMAIL });
  const adviceOn = async (method: string, path: string, body?: unknown, headers = {}): Promise<readonly Advice[]> => {
    const reply = await auth(method, path, body, headers);
    expect(reply.status).toBeGreaterThanOrEqual(400);
    return (await logged(reply)).advice;
  };
  const cured = async (method: string, [first]: readonly Advice[]): Promise<number> => {
    expect(first?.at).toBe("body");
    return (await auth(method, SESSION, first?.send, { "Content-Type": "application/json" })).status;
  };
  return { appId, secret, admin, logged, adviceOn, cured };
};

describe("a code is verified", () => {
  test("with a phone without its plus sign", async () => {
    const { appId, adviceOn } = await stage("phone");
    const [first] = await adviceOn("PUT", SESSION, { appId, user: { phone: PHONE.slice(1) }, passcode: "482917" });
    expect(first).toMatchObject({ code: "national_phone", send: PHONE, at: "body.user.phone" });
  });

  test("in the shape of another service: phone, token and type beside the app", async () => {
    const { appId, adviceOn, cured } = await stage("phone");
    const advice = await adviceOn("PUT", SESSION, { appId, phone: PHONE, token: "482917", type: "sms" });
    expect(advice.map(({ code }) => code)).toEqual(["user_beside", "renamed_passcode"]);
    expect(await cured("PUT", advice)).toBe(200);
  });

  test("with client_id, user_id and code", async () => {
    const { appId, adviceOn, cured } = await stage("email");
    const advice = await adviceOn("PUT", SESSION, { client_id: appId, user_id: EMAIL, code: "482917" });
    expect(advice.map(({ code }) => code)).toEqual(["misplaced_id", "renamed_field", "renamed_passcode"]);
    expect(await cured("PUT", advice)).toBe(200);
  });
});

describe("a code is requested", () => {
  test("with axios, which got the body as params", async () => {
    const { appId, adviceOn, cured } = await stage("phone");
    const advice = await adviceOn("POST", `${SESSION}?appId=${appId}&phone=${encodeURIComponent(PHONE)}`);
    expect(advice[0]?.text).toContain(`The app id “${appId}” was sent in the query`);
    expect(advice[1]?.text).toContain("The phone was sent in the query");
    expect(await cured("POST", advice)).toBe(202);
  });

  test("with the options of a call as the body", async () => {
    const { appId, adviceOn, cured } = await stage("phone");
    const advice = await adviceOn("POST", SESSION, { body: { appId, user: { phone: PHONE } } });
    expect(advice[0]?.text).toContain("The body must not be nested under “body”.");
    expect(await cured("POST", advice)).toBe(202);
  });

  test("with a phone in two parts", async () => {
    const { appId, adviceOn, cured } = await stage("phone");
    const phone = { countryCode: "+1", number: PHONE.slice(2) };
    const advice = await adviceOn("POST", SESSION, { appId, user: { phone } });
    expect(advice[0]).toMatchObject({ code: "not_a_string", text: expect.stringContaining("is an object") });
    expect(await cured("POST", advice)).toBe(202);
  });

  test("with hyphens and without a plus sign", async () => {
    const { appId, adviceOn } = await stage("phone");
    const [first] = await adviceOn("POST", SESSION, { appId, user: { phone: "1-202-555-0142" } });
    expect(first).toMatchObject({ send: PHONE, at: "body.user.phone" });
  });

  test("with multipart form data", async () => {
    const { adviceOn } = await stage("phone");
    const type = "multipart/form-data; boundary=x";
    const [first] = await adviceOn("POST", SESSION, "--x--", { "Content-Type": type });
    expect(first?.text).toBe(
      `The Content-Type is “${type}”: the body is a form. Send JSON, with the Content-Type application/json.`,
    );
    expect(first?.send).toBeUndefined();
  });

  test("with nothing at all", async () => {
    const { adviceOn } = await stage("phone");
    const [first] = await adviceOn("POST", SESSION);
    expect(first?.text).toBe("The app id is missing: it must be in the body, as “appId”.");
  });
});

/** From questions about cmd.exe and PowerShell, requests, Retrofit, dio and http of Dart, Swift, Kotlin, Postman and fetch. */
describe("a body that was not made as its author thinks", () => {
  const raw = async (body: string, type = "application/json", path = SESSION) => {
    const made = await stage("phone");
    const reply = await auth("POST", path, body.replaceAll("APP", made.appId), { "Content-Type": type });
    expect(reply.status).toBeGreaterThanOrEqual(400);
    return { ...made, advice: (await made.logged(reply)).advice as readonly Advice[] };
  };
  const SENT: readonly (readonly [how: string, body: string, words: string])[] = [
    ["in the quotes of bash, from cmd.exe", "'{appId:APP,user:{phone:+12025550142}}'", "the body is in single quotes"],
    [
      "from PowerShell, which takes its quotes away",
      "{appId:APP,user:{phone:1}}",
      "the name “appId” must be in double",
    ],
    [
      "as a Kotlin data class prints itself",
      "Login(appId=APP, user=User(phone=1))",
      "an object that was turned into text",
    ],
    ["as a Java map prints itself", "{appId=APP, user={phone=1}}", "an object that was turned into text"],
    ["as Dart prints an object", "Instance of 'LoginRequest'", "an object that was turned into text"],
    [
      "with a Postman variable without quotes",
      '{"appId":"APP","user":{"phone":{{phone}}}}',
      "“{{phone}}” is a placeholder",
    ],
  ];
  test.each(SENT)("%s", async (_how, body, words) => {
    const { advice } = await raw(body);
    expect(advice[0]?.text).toContain(words);
    expect(advice[0]?.send).toBeUndefined();
  });

  const CURED: readonly (readonly [how: string, body: string])[] = [
    [
      "as a string, by Retrofit with a converter for JSON",
      JSON.stringify(`{"appId":"APP","user":{"phone":"${PHONE}"}}`),
    ],
    ["as Python prints a dict", `{'appId': 'APP', 'user': {'phone': '${PHONE}', 'name': None}}`],
    ["with a user that was encoded before", JSON.stringify({ appId: "APP", user: JSON.stringify({ phone: PHONE }) })],
    ["with typographic quotes, pasted from a page", `{“appId”:“APP”,“user”:{“phone”:“${PHONE}”}}`],
  ];
  test.each(CURED)("%s", async (_how, body) => {
    const { advice, cured } = await raw(body);
    expect(await cured("POST", advice)).toBe(202);
  });

  const NUMBERS: readonly (readonly [how: string, phone: string, code: string])[] = [
    ["a Swift optional", `Optional(\\"${PHONE}\\")`, "optional"],
    ["a data class for the number", `User(phone=${PHONE})`, "more_around"],
    ["a list that was turned into text", `[\\"${PHONE}\\"]`, "more_around"],
  ];
  test.each(NUMBERS)("with %s", async (_how, phone, code) => {
    const { advice } = await raw(`{"appId":"APP","user":{"phone":"${phone}"}}`);
    expect(advice[0]).toMatchObject({ code, send: PHONE, at: "body.user.phone" });
    expect(advice[0]?.text).not.toContain("no plus sign");
  });

  test("as a form, by requests with data= and by Alamofire", async () => {
    const type = "application/x-www-form-urlencoded";
    const { advice } = await raw("appId=APP&user[phone]=1", type);
    expect(advice[0]?.text).toBe(
      `The Content-Type is “${type}”: the body is a form. Send JSON, with the Content-Type application/json.`,
    );
  });

  test("at a path of another service", async () => {
    const { advice } = await raw("{}", "application/json", "/auth/v1/otp");
    expect(advice[0]?.text).toMatch(/^Nothing is at POST \/auth\/v1\/otp\. This is auth, with \/v1\/users\/session/);
  });
});

test("a variable that was null is named before what a PUT needs", async () => {
  const { appId, adviceOn } = await stage("phone");
  const [first] = await adviceOn("PUT", SESSION, { appId, user: { phone: PHONE }, passcode: null });
  expect(first).toMatchObject({ text: expect.stringMatching(/^“passcode” is null\. A PUT must have/), send: "POST" });
});

test("a secret that was sent in two headers is not called unknown", async () => {
  const { secret } = await stage("phone");
  const line = `Authorization: Bearer ${secret}`;
  const { status, head } = await send(server().urls.admin, [
    "GET /v1/profiles HTTP/1.1",
    "Host: 127.0.0.1",
    line,
    line,
  ]);
  const [, id = ""] = /Emulator-Request-Id: (\S+)/i.exec(head) ?? [];
  expect(status).toBe(401);
  const advice: readonly Advice[] = (await control("GET", `/requests/${id}`)).json.advice;
  expect(advice[0]?.text).toBe("The request has more than one Authorization header. Send one.");
});

test("nobody near is named where the past says whose the number was", async () => {
  const { appId, admin, logged } = await stage("phone");
  const [{ userId }] = (await admin("GET", "/v1/profiles")).json;
  await admin("PUT", `/v1/profiles/${userId}`, { phone: "+12025550187" });
  await admin("POST", "/v1/profiles", { phone: `${PHONE.slice(0, -1)}9` });
  const body = { appId, user: { phone: PHONE }, passcode: "482917" };
  const { advice } = await logged(await auth("PUT", SESSION, body));
  expect(advice.map(({ code }: Advice) => code)).toEqual(["past_user", "unknown_user"]);
});

test("an id that no app can have is not offered for creation", async () => {
  const { appId, logged } = await stage("phone");
  const { advice } = await logged(await auth("POST", SESSION, { appId: ` ${appId}`, user: { phone: PHONE } }));
  expect(advice.map(({ code }: Advice) => code)).toEqual(["near_app"]);
});

test("a backend sends “Bearer:” with a colon", async () => {
  const { secret, logged } = await stage("phone");
  const refused = await anyAdmin("GET", "/v1/profiles", undefined, { Authorization: `Bearer: ${secret}` });
  const [first] = (await logged(refused)).advice;
  expect(first).toMatchObject({ code: "secret_form" });
  expect(JSON.stringify(first)).not.toContain(secret);
});
