/** The texts of the page for phones in each language, loaded when one asks for them. */
import { frozen } from "#contract/frozen.ts";
import type { Language } from "#contract/words/languages.ts";
import { HELLO_TEXTS, type HelloTexts } from "./texts/en.ts";

/** By language. */
export const helloTexts = frozen<Readonly<Record<Language, () => Promise<HelloTexts>>>>({
  en: async () => HELLO_TEXTS,
  de: async () => (await import("./texts/de.ts")).deHello,
  fr: async () => (await import("./texts/fr.ts")).frHello,
  es: async () => (await import("./texts/es.ts")).esHello,
  it: async () => (await import("./texts/it.ts")).itHello,
  nl: async () => (await import("./texts/nl.ts")).nlHello,
  "pt-BR": async () => (await import("./texts/pt-br.ts")).ptBrHello,
  ja: async () => (await import("./texts/ja.ts")).jaHello,
});
