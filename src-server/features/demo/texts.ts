/** The texts of the demo app in each language, loaded when a phone asks for them. */

import { frozen } from "#contract/frozen.ts";
import { DEMO_TEXTS, type DemoText } from "#contract/service/demo-texts.ts";
import type { AppRecord } from "#contract/service/records.ts";
import { type Language, languageOf } from "#contract/words/languages.ts";

type DemoTexts = Readonly<Record<DemoText, string>>;

const FILES = frozen<Readonly<Record<Language, () => Promise<DemoTexts>>>>({
  en: async () => DEMO_TEXTS,
  de: async () => (await import("./texts/de.ts")).deDemo,
  fr: async () => (await import("./texts/fr.ts")).frDemo,
  es: async () => (await import("./texts/es.ts")).esDemo,
  it: async () => (await import("./texts/it.ts")).itDemo,
  nl: async () => (await import("./texts/nl.ts")).nlDemo,
  "pt-BR": async () => (await import("./texts/pt-br.ts")).ptBrDemo,
  ja: async () => (await import("./texts/ja.ts")).jaDemo,
});

/**
 * @param app its language is spoken, with its own texts; undefined: English. @param tag of another language than the
 * app's, for which the app's own texts are not meant.
 */
export const demoTextsFor = async (
  app: AppRecord | undefined,
  tag?: string,
): Promise<{ readonly locale: Language; readonly texts: DemoTexts }> => {
  const own = languageOf(app?.settings.locale);
  const locale = tag === undefined ? own : languageOf(tag);
  const texts = await FILES[locale]();
  const given = Object.entries((locale === own && app?.settings.brand?.texts) || {}).filter(([, text]) => text !== "");
  return { locale, texts: { ...texts, ...Object.fromEntries(given) } };
};
