/** The texts of each language, loaded when a phone asks for them (CONTRACT 17). */

import { frozen } from "#contract/frozen.ts";
import { type Language, languageOf } from "#contract/languages.ts";
import type { AppRecord } from "#contract/records.ts";
import { en, type Texts } from "#contract/texts/en.ts";

const FILES = frozen<Readonly<Record<Language, () => Promise<Texts>>>>({
  en: async () => en,
  de: async () => (await import("#contract/texts/de.ts")).de,
  fr: async () => (await import("#contract/texts/fr.ts")).fr,
  es: async () => (await import("#contract/texts/es.ts")).es,
  it: async () => (await import("#contract/texts/it.ts")).it,
  nl: async () => (await import("#contract/texts/nl.ts")).nl,
  "pt-BR": async () => (await import("#contract/texts/pt-br.ts")).ptBr,
  ja: async () => (await import("#contract/texts/ja.ts")).ja,
});

/**
 * @param app its language is spoken, with its own texts; undefined: English. @param tag of another language than the
 * app's, for which the app's own texts are not meant.
 */
export const textsFor = async (
  app: AppRecord | undefined,
  tag?: string,
): Promise<{ readonly locale: Language } & Texts> => {
  const own = languageOf(app?.settings.locale);
  const locale = tag === undefined ? own : languageOf(tag);
  const texts = await FILES[locale]();
  const given = Object.entries((locale === own && app?.settings.brand?.texts) || {}).filter(([, text]) => text !== "");
  return { ...texts, locale, demo: { ...texts.demo, ...Object.fromEntries(given) } };
};
