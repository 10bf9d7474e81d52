/** The texts of the page for phones in each language (CONTRACT 17). */

import { deHello } from "#kits/devices/texts/de.ts";
import { HELLO_TEXTS } from "#kits/devices/texts/en.ts";
import { esHello } from "#kits/devices/texts/es.ts";
import { frHello } from "#kits/devices/texts/fr.ts";
import { itHello } from "#kits/devices/texts/it.ts";
import { jaHello } from "#kits/devices/texts/ja.ts";
import { nlHello } from "#kits/devices/texts/nl.ts";
import { ptBrHello } from "#kits/devices/texts/pt-br.ts";
import { testTexts } from "../languages.ts";

testTexts(HELLO_TEXTS, {
  de: deHello,
  es: esHello,
  fr: frHello,
  it: itHello,
  ja: jaHello,
  nl: nlHello,
  "pt-BR": ptBrHello,
});
