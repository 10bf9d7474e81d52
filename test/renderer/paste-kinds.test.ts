/** What the palette recognises in a pasted text. */
import { expect, test } from "vitest";
import { isForImport } from "../../src-renderer/shell/paste/fixture-format.ts";
import { pastedIn } from "../../src-renderer/ui/paste-kinds.ts";

const TOKEN = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln";
const ID = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";

test.each([[TOKEN], [`Bearer ${TOKEN}`], [`Authorization: Bearer ${TOKEN}`], [`{"id":"${ID}","token":"${TOKEN}"}`]])(
  "a token in %s",
  (text) => expect(pastedIn(text)).toEqual({ kind: "token", token: TOKEN }),
);

test("a token without a signature", () =>
  expect(pastedIn("eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.")).toMatchObject({
    token: "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.",
  }));

test.each([[ID], [ID.toUpperCase()], [`Emulator-Request-Id: ${ID}`], [`{"errorId":"${ID}"}`]])("an id in %s", (text) =>
  expect(pastedIn(text)).toEqual({ kind: "id", id: ID }),
);

test.each([["482971"], ["482 971"], ["48-29-71"], ["4829"]])("a passcode in %s", (text) =>
  expect(pastedIn(text)).toEqual({ kind: "passcode", code: text.replaceAll(/\D/g, "") }),
);

test.each([["Your Demo code is 482971. It is valid for 10 minutes."], ["Code: 482 971"]])(
  "the passcode in the message %j",
  (text) => expect(pastedIn(text)).toEqual({ kind: "passcode", code: "482971" }),
);

test.each([
  [""],
  ["ada"],
  ["401"],
  ["+1 202 555 0100"],
  ["ada@example.com"],
  ["eyJ"],
  ["call +1 202 555 0100"],
  ["curl"],
  ["curl --help"],
])("nothing in %j", (text) => expect(pastedIn(text)).toBeNull());

test.each([
  ['{ "apps": [] }', true],
  ['// users\n{\n "version": 1,\n "apps": [', true],
  ['{"phone":"+12025550100"}', true],
  ['\n{"email":"ada@example.com"}\n{"name":"x"}', true],
  ["Name,Phone\nAda,+12025550100", true],
  ['"phone";"metadata.plan"\r\n+12025550100;pro', true],
  ["email\nada@example.com", true],
  ["First name,phone\nAda,+12025550100", true],
  ["name,phone", false],
  [`{"id":"${ID}","userId":"${ID}","token":"${TOKEN}"}`, false],
  ["Dear Ada,\nthe phone is broken", false],
  ['{"appId": "demo-app", "user": {"phone": "+12025550100"}}', false],
  ["482 971", false],
  ['[{"given_name": "Ada", "email_verified": true, "email": "ada@example.com"}]', true],
  ['{"Users": [{"Username": "x", "Attributes": [{"Name": "email", "Value": "ada@example.com"}]}]}', true],
  ['{"kind": "admin#directory#users", "users": [{"primaryEmail": "ada@example.com"}]}', true],
  ["sep=;\nName;Email\nAda;ada@example.com", true],
  [" id | email\n----+------\n  1 | ada@example.com", true],
  ["k1,ada@example.com,true\nk2,grace@example.com,true", true],
  ["ada@example.com, grace@example.com", false],
  ["sku,price\n1,2", false],
])("for Import: %j is %j", (text, isIt) => {
  expect(isForImport(text)).toBe(isIt);
});
