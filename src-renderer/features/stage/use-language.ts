import { useEffect, useState } from "react";
import { languageOf } from "#contract/languages.ts";
import { speak } from "./words.ts";

/**
 * Speaks the language of `?lang=` on a page of the stage, also to screen readers (CONTRACT 17).
 * @param tag of the language; null: English. @returns whether its texts are there.
 */
export const useLanguage = (tag: string | null): boolean => {
  const language = languageOf(tag);
  const [spoken, setSpoken] = useState("en");
  useEffect(() => {
    let isCurrent = true;
    const { documentElement: root } = document;
    void speak(language).then(() => {
      if (!isCurrent) return;
      root.lang = language;
      setSpoken(language);
    });
    return () => {
      isCurrent = false;
      root.lang = "en";
      void speak("en");
    };
  }, [language]);
  return spoken === language;
};
