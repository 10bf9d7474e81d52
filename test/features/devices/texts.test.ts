/** The texts of the page for phones in each language. */

import { deHello } from "#features/devices/texts/de.ts";
import { HELLO_TEXTS } from "#features/devices/texts/en.ts";
import { esHello } from "#features/devices/texts/es.ts";
import { frHello } from "#features/devices/texts/fr.ts";
import { itHello } from "#features/devices/texts/it.ts";
import { jaHello } from "#features/devices/texts/ja.ts";
import { nlHello } from "#features/devices/texts/nl.ts";
import { ptBrHello } from "#features/devices/texts/pt-br.ts";
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
