/** Checks of a feature's texts in every language. */
import { describe, expect, test } from "vitest";
import { LANGUAGES, type Language } from "#contract/words/languages.ts";

type Texts = Readonly<Record<string, string>>;

const inBraces = (text = ""): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

/** Defines the tests. @param others all languages but English. */
export const testTexts = (english: Texts, others: Readonly<Record<Exclude<Language, "en">, Texts>>): void => {
  test("every language but English has texts", () => {
    expect([...LANGUAGES].filter((one) => one !== "en").sort()).toEqual(Object.keys(others).sort());
  });

  describe.each(Object.entries(others))("%s", (_, mine) => {
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
};
