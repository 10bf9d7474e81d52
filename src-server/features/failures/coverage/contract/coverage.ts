/** Login coverage in the control API: which outcomes have been met. */
import { z } from "zod";
import { isoInstantText, optional, safeText, uuidText } from "#contract/scalars.ts";
import { ofApp } from "#contract/service/apps.ts";
import { OUTCOME_IDS } from "./outcomes.ts";

const outcome = z.enum(OUTCOME_IDS);

/** An outcome, and how often it has been met since the start or the last DELETE. */
export const coverageItem = z.object({
  outcome,
  group: z.string(),
  title: z.string(),
  screen: z.string().describe("What an app should show then."),
  count: z.int().describe("How many requests had it, including resent ones unless `resent=0`."),
  resent: z.int().describe("How many of them were resent, by the console or with the header `Emulator-Resent`."),
  firstAt: isoInstantText.nullable().describe("By the service clock."),
  lastAt: isoInstantText.nullable(),
  lastRequestId: z.string().nullable().describe("The newest request that had it."),
  provoke: z.string().describe("What to do to cover it, once it is provoked."),
});
export type CoverageItem = z.input<typeof coverageItem>;

/** All outcomes, in the order of the table. */
export const coverageAnswer = z.object({
  items: z.array(coverageItem),
  met: z.int().describe("How many outcomes are covered."),
  total: z.int().describe("How many outcomes there are."),
});
export type CoverageAnswer = z.input<typeof coverageAnswer>;

/** Which coverage. Without `appId` also that of apps that have been deleted. */
export const coverageQuery = z.object({
  ...ofApp.shape,
  resent: z.enum(["0", "1"]).default("1").describe("`0`: without requests that were resent."),
});

/** The outcome that the next login shall meet. */
export const provokeInput = z.strictObject({
  appId: optional(z.string(), "Optional if there is only one app."),
  outcome,
  to: optional(
    safeText.min(1).max(254),
    "Whose login: a phone number or email address. Created if no user has it and the outcome needs a user.",
  ),
});

/** What was arranged. */
export const provokeAnswer = z.object({
  outcome,
  set: z
    .object({
      faultId: optional(uuidText, "The fault that applies to the next login, once."),
      userId: optional(uuidText, "The user whose code, sessions or profile was changed, or who was created."),
    })
    .describe("Empty: only a person using the app can do it."),
  // biome-ignore lint/suspicious/noThenProperty: the API names it so
  then: z.string().describe("What to do next."),
});
export type ProvokeAnswer = z.input<typeof provokeAnswer>;
