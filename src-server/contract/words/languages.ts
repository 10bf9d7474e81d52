/** The languages of the default messages. */

/** The languages that have a message, as BCP 47 tags. */
export const LANGUAGES = ["en", "de", "fr", "es", "it", "nl", "pt-BR", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];

/** @param tag of any language. @returns the language itself, else the same language of another country, else `en`. */
export const languageOf = (tag: unknown): Language => {
  if (typeof tag !== "string") return "en";
  const [language] = tag.toLowerCase().split("-");
  return LANGUAGES.find((one) => one.toLowerCase().split("-")[0] === language) ?? "en";
};

/** The default messages, by text message and by email. */
export const MESSAGES: Readonly<Record<Language, string>> = {
  en: "Your {app} code is {code}. It is valid for {minutes} minutes.",
  de: "{code} ist Ihr Code für {app}. Er ist {minutes} Minuten gültig.",
  fr: "Votre code {app} est {code}. Il est valable {minutes} minutes.",
  es: "Tu código de {app} es {code}. Es válido durante {minutes} minutos.",
  it: "Il tuo codice {app} è {code}. È valido per {minutes} minuti.",
  nl: "Je code voor {app} is {code}. Deze is {minutes} minuten geldig.",
  "pt-BR": "Seu código {app} é {code}. Ele é válido por {minutes} minutos.",
  ja: "{app} の認証コードは {code} です。{minutes} 分間有効です。",
};

const ONE_MINUTE: Readonly<Record<string, string>> = {
  minutes: "minute",
  Minuten: "Minute",
  minutos: "minuto",
  minuti: "minuto",
  minuten: "minuut",
};

/** @param message a default message. @returns it for a code that is valid for one minute. */
export const inOneMinute = (message: string): string =>
  message.replace(/(?<=\{minutes\} )\p{L}+/u, (word) => ONE_MINUTE[word] ?? word);
