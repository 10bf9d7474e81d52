/** Weather in the control API. What there is, is the kernel's, since apps keep their own. */
import { z } from "zod";
import { isoInstantText, optional, uuidText } from "#contract/scalars.ts";
import { faultSeed } from "#contract/service/faults.ts";

/** Which weather. */
export const weatherInput = z.strictObject({
  appId: optional(z.string(), "Default: all apps."),
  name: z.string().min(1).max(64),
  seed: optional(faultSeed, "The same seed and the same requests have the same weather. Default: random."),
  seconds: optional(
    z.int().min(1).max(86_400),
    "Ends it after this many real seconds. Default: when it is turned off.",
  ),
});

const weatherItem = z.object({
  appId: z.string().nullable(),
  name: z.string(),
  seed: faultSeed,
  until: isoInstantText.nullable().describe("When it ends, in real time; `null`: when it is turned off."),
  faults: z.array(uuidText).describe("The faults that it consists of."),
});
export type WeatherItem = z.input<typeof weatherItem>;

/** The weather that is on, and what there is. */
export const weatherAnswer = z.object({
  items: z.array(weatherItem).describe("Empty: calm."),
  known: z.array(
    z.object({
      name: z.string(),
      appId: z.string().nullable().describe("The app that defines it; `null`: every app has it."),
      summary: z.string(),
    }),
  ),
});
export type WeatherAnswer = z.input<typeof weatherAnswer>;
