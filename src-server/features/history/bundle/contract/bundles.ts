/** A failed login as one download: everything needed to see what happened, secrets masked. */
import { z } from "zod";
import { clockItem } from "#contract/control/clock.ts";
import { requestItem } from "#contract/control/requests.ts";
import { worldState } from "#contract/control/state.ts";
import { timelineItem } from "#contract/control/timeline.ts";
import { isoInstantText } from "#contract/scalars.ts";
import { faultItem } from "../../../failures/faults/contract/faults.ts";

/** Response of GET requests/:id/bundle; also the file that `stagedoor open` shows. */
export const loginBundle = z.object({
  kind: z.literal("stagedoor-login"),
  version: z.literal(1),
  stagedoor: z.string().describe("The version of Stagedoor that created it."),
  at: isoInstantText.describe("When it was created, in real time."),
  requestId: z.string().describe("The request that it was downloaded for."),
  requests: z.array(requestItem).describe("The requests of the login, oldest first."),
  faults: z.array(faultItem).describe("The faults that can apply to the user."),
  clock: clockItem.describe("The clock of the app."),
  timeline: z
    .array(timelineItem)
    .optional()
    .describe("What changed of the user, newest first: what `stagedoor open` shows as a film."),
  state: worldState.describe(
    "The app without its secret, the user, and the newest passcodes, sessions and connections of the user.",
  ),
});
export type LoginBundle = z.input<typeof loginBundle>;
