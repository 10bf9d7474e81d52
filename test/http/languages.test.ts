/** The settings `locale` and `brand.texts`: the demo app, the hello page and the messages. */
import { expect, test } from "vitest";
import { DEMO_TEXTS } from "#contract/service/demo-texts.ts";
import { freshPhone, harness } from "#test/http/control/support.ts";

const { app, auth, control } = harness();
const read = async (appId: string, more = "") => (await auth("GET", `/emulator/app?appId=${appId}${more}`)).json;
/** The message that a user gets who asks for a code. */
const messageTo = async (appId: string, fields: object = {}): Promise<string> => {
  const phone = freshPhone();
  await control("POST", "/profiles", { appId, phone, ...fields });
  await auth("POST", "/v1/users/session", { appId, user: { phone } });
  const { message, code } = (await control("GET", `/passcodes/latest?to=${encodeURIComponent(phone)}`)).json;
  return message.replace(code, "CODE");
};

test("an app speaks the language that it is set to", async () => {
  const { appId } = await app({ name: "Front Row", settings: { locale: "de", passcode: { ttlSeconds: 300 } } });
  expect(await read(appId)).toMatchObject({ locale: "de", texts: { signInTitle: "Anmelden oder registrieren" } });
  expect(await messageTo(appId)).toBe("CODE ist Ihr Code für Front Row. Er ist 5 Minuten gültig.");
  const hello = (await auth("GET", `/emulator/hello?appId=${appId}`)).text;
  expect(hello).toContain('<html lang="de">');
  expect(hello).toContain("<h1>Mit Stagedoor verbunden</h1>");
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

test("without an app the hello page speaks the language of the first one", async () => {
  await control("PATCH", "/apps/demo-app", { settings: { locale: "nl" } });
  expect((await auth("GET", "/emulator/hello")).text).toContain('<html lang="nl">');
  await control("PATCH", "/apps/demo-app", { settings: { locale: null } });
  expect((await auth("GET", "/emulator/hello")).text).toContain('<html lang="en">');
});

test("a language without texts is English, one of another country is the language itself", async () => {
  const { appId } = await app({ settings: { locale: "sv-SE" } });
  expect(await read(appId)).toMatchObject({ locale: "en", texts: DEMO_TEXTS });
  await control("PATCH", `/apps/${appId}`, { settings: { locale: "pt-PT" } });
  expect(await read(appId)).toMatchObject({ locale: "pt-BR", texts: { codeTitle: "Digite o código" } });
  expect((await auth("GET", `/emulator/hello?appId=${appId}`)).text).toContain('<html lang="pt-BR">');
  expect((await auth("GET", "/emulator/hello?appId=ghost")).text).toContain('<html lang="en">');
});

test.each(["", "german", "de_DE", "d", "<b>", 7])("%j is no language", async (locale) => {
  const { status, json } = await control("POST", "/apps", { settings: { locale } });
  expect([status, Object.keys(json)]).toEqual([422, ["settings.locale"]]);
});

test("a message of one's own is sent as it is, in every language", async () => {
  const { appId } = await app({ settings: { locale: "fr", message: { sms: "Code {code}" } } });
  expect(await messageTo(appId)).toBe("Code CODE");
});

test("single texts are replaced, in the app's own language", async () => {
  const texts = { signInTitle: "Rein mit Ihnen <b>", wrongCode: "" };
  const { appId } = await app({ settings: { locale: "de", brand: { texts } } });
  expect((await read(appId)).texts).toMatchObject({
    signInTitle: "Rein mit Ihnen <b>",
    wrongCode: "Falscher Code. Versuchen Sie es noch einmal.",
    code: "Code",
  });
  expect((await read(appId, "&locale=it")).texts.signInTitle).toBe("Accedi o registrati");
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

test("a person of the stage has a language of their own; metadata of others means nothing", async () => {
  const { appId } = await app({ name: "Front Row", settings: { locale: "es" } });
  expect(await read(appId, "&locale=ja-JP")).toMatchObject({ locale: "ja", texts: { signIn: "ログイン" } });
  const metadata = { persona: "Visits from Osaka", locale: "ja" };
  expect(await messageTo(appId, { metadata })).toBe("Front Row の認証コードは CODE です。10 分間有効です。");
  const spanish = "Tu código de Front Row es CODE. Es válido durante 10 minutos.";
  expect(await messageTo(appId, { metadata: { locale: "ja" } })).toBe(spanish);
  expect(await messageTo(appId, { metadata: { persona: "Stays", locale: 7 } })).toBe(spanish);
});
