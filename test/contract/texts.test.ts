/** The texts of the demo app and the hello page in each language (CONTRACT 17). */
import { describe, expect, test } from "vitest";
import { LANGUAGES, languageOf, MESSAGES } from "#contract/languages.ts";
import { de } from "#contract/texts/de.ts";
import { en, type Texts } from "#contract/texts/en.ts";
import { es } from "#contract/texts/es.ts";
import { fr } from "#contract/texts/fr.ts";
import { it as italian } from "#contract/texts/it.ts";
import { ja } from "#contract/texts/ja.ts";
import { nl } from "#contract/texts/nl.ts";
import { ptBr } from "#contract/texts/pt-br.ts";

const others: Readonly<Record<string, Texts>> = { de, fr, es, it: italian, nl, "pt-BR": ptBr, ja };
const flat = ({ demo, hello }: Texts): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.entries(demo).map(([name, text]) => [`demo.${name}`, text])),
  ...Object.fromEntries(Object.entries(hello).map(([name, text]) => [`hello.${name}`, text])),
});
const english = flat(en);
const inBraces = (text = ""): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test("every language but English has texts", () => {
  expect([...LANGUAGES].filter((one) => one !== "en").sort()).toEqual(Object.keys(others).sort());
});

describe.each(Object.entries(others))("%s", (_, texts) => {
  const mine = flat(texts);

  test("fills in the same values as English", () => {
    for (const [name, text] of Object.entries(mine))
      expect([name, inBraces(text)]).toEqual([name, inBraces(english[name])]);
  });

  test("has a text for each name, and few that are English too", () => {
    expect(Object.keys(mine).sort()).toEqual(Object.keys(english).sort());
    for (const [name, text] of Object.entries(mine))
      expect([name, text]).toEqual([name, expect.stringMatching(/^\S.*\S$/)]);
    expect(Object.keys(mine).filter((name) => mine[name] === english[name]).length).toBeLessThan(5);
  });
});

test("every message has the code, the app and its minutes", () => {
  for (const message of Object.values(MESSAGES)) expect(inBraces(message)).toEqual(["{app}", "{code}", "{minutes}"]);
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
