/** The setting `locale`, the language of the messages, and `brand.texts`, the words of the demo app. */
import { expect, test } from "vitest";
import { DEMO_TEXTS } from "#contract/service/demo-texts.ts";
import { freshPhone, harness } from "#test/http/control/support.ts";

const { app, auth, control } = harness();
const read = async (appId: string) => (await auth("GET", `/emulator/app?appId=${appId}`)).json;
/** The message that a user gets who asks for a code. */
const messageTo = async (appId: string, fields: object = {}): Promise<string> => {
  const phone = freshPhone();
  await control("POST", "/profiles", { appId, phone, ...fields });
  await auth("POST", "/v1/users/session", { appId, user: { phone } });
  const { message, code } = (await control("GET", `/passcodes/latest?to=${encodeURIComponent(phone)}`)).json;
  return message.replace(code, "CODE");
};

test("the messages of an app are in its language, its pages in English", async () => {
  const { appId } = await app({ name: "Front Row", settings: { locale: "de", passcode: { ttlSeconds: 300 } } });
  expect((await read(appId)).texts).toEqual(DEMO_TEXTS);
  expect(await messageTo(appId)).toBe("CODE ist Ihr Code für Front Row. Er ist 5 Minuten gültig.");
  const hello = (await auth("GET", `/emulator/hello?appId=${appId}`)).text;
  expect(hello).toContain('<html lang="en">');
  expect(hello).toContain("<h1>Connected to Stagedoor</h1>");
  await control("PATCH", `/apps/${appId}`, { settings: { locale: null } });
  expect(await messageTo(appId)).toBe("Your Front Row code is CODE. It is valid for 5 minutes.");
});

test.each([
  ["en", "1 minute."],
  ["de", "1 Minute "],
  ["fr", "1 minute."],
  ["es", "1 minuto."],
  ["it", "1 minuto."],
  ["nl", "1 minuut "],
  ["pt-BR", "1 minuto."],
  ["ja", "1 分間"],
])("a code of one minute says so in %s", async (locale, words) => {
  const { appId } = await app({ settings: { locale, passcode: { ttlSeconds: 60 } } });
  expect(await messageTo(appId)).toContain(words);
  await control("PATCH", `/apps/${appId}`, { settings: { message: { sms: "{code}: {minutes} minutes" } } });
  expect(await messageTo(appId)).toBe("CODE: 1 minutes");
});

test("a language without a message is English, one of another country is the language itself", async () => {
  const { appId } = await app({ name: "Front Row", settings: { locale: "sv-SE" } });
  expect(await messageTo(appId)).toBe("Your Front Row code is CODE. It is valid for 10 minutes.");
  await control("PATCH", `/apps/${appId}`, { settings: { locale: "pt-PT" } });
  expect(await messageTo(appId)).toBe("Seu código Front Row é CODE. Ele é válido por 10 minutos.");
});

test.each(["", "german", "de_DE", "d", "<b>", 7])("%j is no language", async (locale) => {
  const { status, json } = await control("POST", "/apps", { settings: { locale } });
  expect([status, Object.keys(json)]).toEqual([422, ["settings.locale"]]);
});

test("a message of one's own is sent as it is, in every language", async () => {
  const { appId } = await app({ settings: { locale: "fr", message: { sms: "Code {code}" } } });
  expect(await messageTo(appId)).toBe("Code CODE");
});

test("single texts are replaced", async () => {
  const texts = { signInTitle: "Rein mit Ihnen <b>", wrongCode: "" };
  const { appId } = await app({ settings: { locale: "de", brand: { texts } } });
  expect((await read(appId)).texts).toMatchObject({
    signInTitle: "Rein mit Ihnen <b>",
    wrongCode: DEMO_TEXTS.wrongCode,
    code: "Code",
  });
});

test("an unknown text is rejected with the nearest name, a long one with the limit", async () => {
  const texts = { signInTitel: "x", code: "x".repeat(201), email: 7 };
  const { status, json } = await control("POST", "/apps", { settings: { brand: { texts } } });
  expect([status, json]).toEqual([
    422,
    {
      "settings.brand.texts.code": ["is too long (at most 200 characters)"],
      "settings.brand.texts.email": ["must be a string"],
      "settings.brand.texts.signInTitel": ['is unknown; did you mean "signInTitle"?'],
    },
  ]);
  const longest = { texts: { code: "é".repeat(200) } };
  expect((await control("POST", "/apps", { settings: { brand: longest } })).status).toBe(201);
});
