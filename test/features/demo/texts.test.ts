/** The texts of the demo app in each language. */
import { DEMO_TEXTS } from "#contract/service/demo-texts.ts";
import { deDemo } from "#features/demo/texts/de.ts";
import { esDemo } from "#features/demo/texts/es.ts";
import { frDemo } from "#features/demo/texts/fr.ts";
import { itDemo } from "#features/demo/texts/it.ts";
import { jaDemo } from "#features/demo/texts/ja.ts";
import { nlDemo } from "#features/demo/texts/nl.ts";
import { ptBrDemo } from "#features/demo/texts/pt-br.ts";
import { testTexts } from "../languages.ts";

testTexts(DEMO_TEXTS, {
  de: deDemo,
  es: esDemo,
  fr: frDemo,
  it: itDemo,
  ja: jaDemo,
  nl: nlDemo,
  "pt-BR": ptBrDemo,
});
