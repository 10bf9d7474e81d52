import { describe, expect, test } from "vitest";
import { harness } from "./support.ts";

const { control, app } = harness();
const HASH = "FA+9qCX9VSu";
const set = { androidHash: HASH, domain: "example.com" };

/** Creates an app with this text message. @returns 201, or the errors of the message. */
const form = async (sms: string, more: object = {}, fields: object = {}): Promise<unknown> => {
  const made = await control("POST", "/apps", { settings: { message: { ...set, ...more, sms } }, ...fields });
  return made.status === 422 ? made.json["settings.message.sms"] : made.status;
};

describe("a message with the hash of an Android app", () => {
  test.each([
    "{code} is your code\n{androidHash}",
    "<#> {code} is your code {androidHash}",
    "<#> {code} is your code\nAbCdEfGhIjK\n",
    "{code}\n{androidHash}\n@{domain} #{code}",
    "{code}\n@{domain} #{code} {androidHash}",
  ])("%j is accepted", async (sms) => {
    expect(await form(sms)).toBe(201);
  });

  const END = "must end with the 11-character hash of the Android app: {androidHash}";
  test.each([
    ["{androidHash} {code}", END],
    ["{code}-{androidHash}", END],
    ["{code} {androidHash}.", END],
    ["<#> {code}", END],
    ["<#> {code} AbCdEfGhIj", END],
    ["{androidHash}\n{code}\n@{domain} #{code}", END],
    ["Your code {androidHash}", "must have {code}, which the app reads from the message"],
    [
      `{code} ${"x".repeat(122)} {androidHash}`,
      "is 141 bytes long when filled in; with an Android hash at most 140 are read",
    ],
    [
      `{code} ${"é".repeat(61)} {androidHash}`,
      "is 141 bytes long when filled in; with an Android hash at most 140 are read",
    ],
  ])("%j is rejected", async (sms, fault) => {
    expect(await form(sms)).toEqual([fault]);
  });

  test("has room for exactly 140 bytes, given the app's code length and name", async () => {
    const sms = `{code} {app} ${"x".repeat(116)} {androidHash}`;
    expect(await form(sms, {}, { name: "Shop" })).toBe(201);
    expect(await form(sms, {}, { name: "Shops" })).toEqual([expect.stringContaining("is 141 bytes")]);
    const made = await app({ name: "Shop", settings: { message: { ...set, sms } } });
    for (const change of [
      { name: "Shops" },
      { settings: { "passcode.length": 7 } },
      { settings: { "passcode.fixed": "1234567" } },
    ]) {
      const patched = await control("PATCH", `/apps/${made.appId}`, change);
      expect(patched.status).toBe(422);
      expect(patched.json).toEqual({ "settings.message.sms": [expect.stringContaining("is 141 bytes")] });
    }
    expect((await control("PATCH", `/apps/${made.appId}`, { secret: "another-secret" })).status).toBe(200);
  });

  test("requires the hash setting, which has 11 characters", async () => {
    const unset = ["uses {androidHash}, but message.androidHash is not set"];
    expect(await form("{code} {androidHash}", { androidHash: null })).toEqual(unset);
    for (const androidHash of ["FA+9qCX9VS", "FA+9qCX9VSuu", "FA+9qCX9VS=", ""]) {
      const made = await control("POST", "/apps", { settings: { message: { androidHash } } });
      expect(made.status).toBe(422);
      expect(made.json).toEqual({
        "settings.message.androidHash": ["must be the 11 characters (letters, digits, + and /) of the app's hash"],
      });
    }
  });
});

describe("a message with a domain-bound code", () => {
  test.each([
    "{code} is your code.\n\n@{domain} #{code}",
    "@{domain} #{code}",
    "{code}\r\n@{domain} #{code} %embedded.example",
    "{code}\n@{domain} #{code} %embedded.example more",
    "{code}\n@shop.example.co.uk #{code}",
    "Ask @{app} on the phone for {code}.",
    "{code}: write to help@example.com #1",
  ])("%j is accepted", async (sms) => {
    expect(await form(sms)).toBe(201);
  });

  const LAST = "must have the line @{domain} #{code} as its last line";
  const SHAPE = "must have a last line of the form @{domain} #{code}, with nothing before it and one space between";
  const CODE = "must have the code after the # of its last line: @{domain} #{code}";
  test.each([
    ["@{domain} #{code}\nThank you", LAST],
    ["{code}\n@{domain} #{code}\n", LAST],
    ["{code}\n@{domain} #{code}\n{androidHash}", LAST],
    ["{code} @{domain} #{code}", SHAPE],
    ["{code}\n@{domain}  #{code}", SHAPE],
    ["{code}\n@{domain}#{code}", SHAPE],
    ["{code}\n@{domain}", SHAPE],
    ["{code}\n{domain} #{code}", SHAPE],
    ["{code}\n@{domain} #123456", CODE],
    ["{code}\n@{domain} #{code}.", CODE],
    [
      "{code}\n@https://example.com #{code}",
      "names https://example.com in its last line, which is not a host name without scheme, port or path",
    ],
    [
      "{code}\n@example.com:443 #{code}",
      "names example.com:443 in its last line, which is not a host name without scheme, port or path",
    ],
    [
      "{code}\n@{domain} #{code} %a_b",
      "names a_b in its last line, which is not a host name without scheme, port or path",
    ],
  ])("%j is rejected", async (sms, fault) => {
    expect(await form(sms)).toEqual([fault]);
  });

  test("requires the domain setting, which is a host", async () => {
    expect(await form("{code}\n@{domain} #{code}", { domain: null })).toEqual([
      "uses {domain}, but message.domain is not set",
    ]);
    for (const domain of ["https://example.com", "example.com/", "example.com:80", "a b", "-a.example", ""]) {
      const made = await control("POST", "/apps", { settings: { message: { domain } } });
      expect(made.json).toEqual({
        "settings.message.domain": ["must be a host name such as example.com, without scheme, port or path"],
      });
    }
  });
});

test("both lines are filled in; an email leaves them unchanged", async () => {
  const sms = "{code} for {app}\n@{domain} #{code} {androidHash}";
  const made = await app({ name: "Shop", settings: { message: { ...set, sms } } });
  const { phone } = await made.profile();
  await made.ask(phone);
  const [item] = (await control("GET", `/passcodes?appId=${made.appId}`)).json.items;
  expect(item.message).toBe(`${item.code} for Shop\n@example.com #${item.code} ${HASH}`);

  const email = "{code} {domain} {androidHash}";
  const mail = await app({ strategy: "email", settings: { message: { ...set, email } } });
  const { userId } = await mail.profile({ email: "ada@example.com" });
  const sent = await control("POST", "/passcodes", { appId: mail.appId, userId });
  expect(sent.json.message).toBe(`${sent.json.code} {domain} {androidHash}`);
});

test("an import with an invalid message is rejected with its path and changes nothing", async () => {
  const bad = { appId: "imported", settings: { message: { sms: "<#> {code}" } } };
  const put = await control("PUT", "/state", { mode: "merge", state: { version: 1, apps: [{ appId: "fine" }, bad] } });
  expect(put.status).toBe(422);
  expect(put.json).toEqual({
    "apps[1].settings.message.sms": ["must end with the 11-character hash of the Android app: {androidHash}"],
  });
  expect((await control("GET", "/apps/fine")).status).toBe(404);
});

test.each([
  ["Hello", "must have {code}, which becomes the passcode"],
  ["Your code is {CODE}", "has {CODE}, which is not replaced; did you mean {code}?"],
  ["Your code is %s", "has %s, which is not replaced; did you mean {code}?"],
  ["Your code is {{code}}", "has {{code}}, which is not replaced; did you mean {code}?"],
  ["Your code is <code>", "has <code>, which is not replaced; did you mean {code}?"],
  ["{code} for {aap}", "has {aap}, which is not replaced; did you mean {app}?"],
])("the template %j is refused with what was meant", async (template, error) => {
  for (const text of ["sms", "email"]) {
    const settings = { message: { [text]: template } };
    const { status, json } = await control("POST", "/apps", { settings });
    expect([status, json]).toEqual([422, { [`settings.message.${text}`]: [error] }]);
  }
});
