/** The languages of the texts, and the messages. */
import { expect, test } from "vitest";
import { languageOf, MESSAGES } from "#contract/words/languages.ts";

test("every message has the code, the app and its minutes", () => {
  for (const message of Object.values(MESSAGES))
    expect((message.match(/\{\w+\}/g) ?? []).sort()).toEqual(["{app}", "{code}", "{minutes}"]);
});

test.each([
  ["de", "de"],
  ["DE-at", "de"],
  ["pt-BR", "pt-BR"],
  ["pt-PT", "pt-BR"],
  ["pt", "pt-BR"],
  ["ja-JP", "ja"],
  ["en-GB", "en"],
  ["sv", "en"],
  ["dex", "en"],
  ["", "en"],
  [undefined, "en"],
  [7, "en"],
])("the language of %s is %s", (tag, language) => {
  expect(languageOf(tag)).toBe(language);
});
