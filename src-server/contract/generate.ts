/** Generated users in a fixture (CONTRACT 13); the `people` room generates them. */
import { z } from "zod";

/** The supported locales for names, cities and phone numbers. */
export const LOCALES = ["en", "de", "fr", "es", "ar", "ja"] as const;
/** @see LOCALES */
export type Locale = (typeof LOCALES)[number];
/** Most generated users: the limit of an import. */
export const MOST_USERS = 100_000;

/** The `generate` entry of an app. */
export const generateInput = z.strictObject({
  count: z.int().min(1).max(MOST_USERS).meta({ description: "How many users." }),
  seed: z
    .string()
    .exactOptional()
    .meta({ description: "Any text. The same seed generates the same users. Absent: `1`." }),
  locale: z
    .enum(LOCALES)
    .exactOptional()
    .meta({ description: "The locale of their names, cities and phone numbers. Absent: `en`." }),
});
