import { useEffect, useState } from "react";
import { type Language, languageOf } from "#contract/words/languages.ts";
import { type StageWords, speak } from "./words.ts";

const TABLES: Readonly<Record<Language, () => Promise<Partial<StageWords>>>> = {
  en: async () => ({}),
  de: async () => (await import("./words/de.ts")).GERMAN,
  fr: async () => (await import("./words/fr.ts")).FRENCH,
  es: async () => (await import("./words/es.ts")).SPANISH,
  it: async () => (await import("./words/it.ts")).ITALIAN,
  nl: async () => (await import("./words/nl.ts")).DUTCH,
  "pt-BR": async () => (await import("./words/pt-br.ts")).PORTUGUESE,
  ja: async () => (await import("./words/ja.ts")).JAPANESE,
};

/**
 * Speaks the language of `?lang=` on a page of the stage, also to screen readers.
 * @param tag of the language; null: English. @returns whether its texts are there.
 */
export const useLanguage = (tag: string | null): boolean => {
  const language = languageOf(tag);
  const [spoken, setSpoken] = useState("en");
  useEffect(() => {
    let isCurrent = true;
    const { documentElement: root } = document;
    const loaded = TABLES[language]().then((table) => ({ table, lang: language }));
    // Without its texts the stage is English.
    void loaded
      .catch(() => ({ table: {}, lang: "en" }))
      .then(({ table, lang }) => {
        if (!isCurrent) return;
        speak(table);
        root.lang = lang;
        setSpoken(language);
      });
    return () => {
      isCurrent = false;
      root.lang = "en";
      speak({});
    };
  }, [language]);
  return spoken === language;
};
