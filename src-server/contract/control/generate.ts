/** Generated users in a fixture; the `people` room generates them. */
import { z } from "zod";
import { optional } from "../scalars.ts";

/** The supported locales for names, cities and phone numbers. */
export const LOCALES = ["en", "de", "fr", "es", "ar", "ja"] as const;
export type Locale = (typeof LOCALES)[number];
/** Most generated users: the limit of an import. */
export const MOST_USERS = 100_000;

/** Most generated users of all apps in one import; more would take minutes, and gigabytes of memory. */
export const MOST_USERS_IN_ALL = 200_000;

/** The `generate` entry of an app. */
export const generateInput = z.strictObject({
  count: z.int().min(1).max(MOST_USERS).describe("How many users."),
  seed: optional(z.string(), "Any text. The same seed generates the same users. Default: `1`."),
  locale: optional(z.enum(LOCALES), "The locale of their names, cities and phone numbers. Default: `en`."),
});
