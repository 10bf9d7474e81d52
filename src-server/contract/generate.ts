/** Generated users, as a fixture asks for them (CONTRACT 13); `people` makes them. */
import { z } from "zod";

/** The locales whose names, cities and numbers there are. */
export const LOCALES = ["en", "de", "fr", "es", "ar", "ja"] as const;
/** @see LOCALES */
export type Locale = (typeof LOCALES)[number];
/** Most generated users: as many as one import takes. */
export const MOST_USERS = 100_000;

/** The `generate` of an app. */
export const generateInput = z.strictObject({
  count: z.int().min(1).max(MOST_USERS).meta({ description: "How many users." }),
  seed: z.string().exactOptional().meta({ description: "Any text: the same seed makes the same users. Absent: `1`." }),
  locale: z
    .enum(LOCALES)
    .exactOptional()
    .meta({ description: "Whose names, cities and numbers they have. Absent: `en`." }),
});
