/** The texts of the demo app in each language (CONTRACT 17). */
import { DEMO_TEXTS } from "#contract/demo-texts.ts";
import { deDemo } from "#kits/demo/texts/de.ts";
import { esDemo } from "#kits/demo/texts/es.ts";
import { frDemo } from "#kits/demo/texts/fr.ts";
import { itDemo } from "#kits/demo/texts/it.ts";
import { jaDemo } from "#kits/demo/texts/ja.ts";
import { nlDemo } from "#kits/demo/texts/nl.ts";
import { ptBrDemo } from "#kits/demo/texts/pt-br.ts";
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
