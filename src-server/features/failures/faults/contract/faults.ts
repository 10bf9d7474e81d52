/** Faults and weather in the control API. What they are, is the kernel's, since profiles and apps keep their own. */
import { z } from "zod";
import { countTextOr, isoInstantText, optional, uuidText } from "#contract/scalars.ts";
import { ofApp } from "#contract/service/apps.ts";
import { faultChance, faultEffect, faultMatch, faultSeed, faultTimes } from "#contract/service/faults.ts";

/** A fault with its counters. */
export const faultItem = z.object({
  id: uuidText,
  // In a lenient app a username can have any form.
  match: faultMatch.extend({ to: z.string().exactOptional() }),
  userId: uuidText.nullable().describe("The profile whose scenario set it; `null`: set through this API."),
  scenario: z.string().nullable().describe("The name of that scenario; `custom`: a custom fault."),
  effect: z.object(faultEffect.shape),
  times: faultTimes,
  ...faultChance.shape,
  passed: z.int().exactOptional().describe("How many matching requests it has let pass, by its `probability`."),
  weather: z
    .object({ name: z.string(), until: isoInstantText.nullable() })
    .exactOptional()
    .describe("The weather that it is a part of, and when that ends, in real time; `null`: when it is turned off."),
  used: z.int().describe("How many requests it has applied to."),
  remaining: z.int().nullable().describe("How many more requests it will apply to; `null`: no limit."),
  createdAt: isoInstantText,
});
export type FaultItem = z.input<typeof faultItem>;

/** Filter of the faults, and where a page begins. */
export const faultQuery = z.object({
  ...ofApp.shape,
  after: optional(
    z.union([uuidText, z.literal("latest")]),
    "Only faults after this one, by its id: the `next` of the page before; or `latest`.",
  ),
  limit: countTextOr(1, 10_000, 1_000),
});

/** A page of faults. */
export const faultList = z.object({
  items: z.array(faultItem),
  total: z.int(),
  next: optional(
    uuidText,
    "Where a page of 4 MiB, or of `limit` faults, ends before the last: the next one’s `after`.",
  ),
});

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
