/** A failed login as one download: everything needed to see what happened, secrets masked (CONTRACT 13). */
import { z } from "zod";
import { clockItem } from "./clock.ts";
import { faultItem } from "./faults.ts";
import { requestItem } from "./requests.ts";
import { isoInstantText } from "./scalars.ts";
import { worldState } from "./state.ts";

/** Response of GET requests/:id/bundle; also the file that `stagedoor open` shows. */
export const loginBundle = z.object({
  kind: z.literal("stagedoor-login"),
  version: z.literal(1),
  stagedoor: z.string().meta({ description: "The version of Stagedoor that created it." }),
  at: isoInstantText.meta({ description: "When it was created, in real time." }),
  requestId: z.string().meta({ description: "The request that it was downloaded for." }),
  requests: z.array(requestItem).meta({ description: "The requests of the login attempt, oldest first." }),
  faults: z.array(faultItem).meta({ description: "The faults that can apply to the user." }),
  clock: clockItem.meta({ description: "The clock of the app." }),
  state: worldState.meta({
    description:
      "The app without its secret, the user, and the newest passcodes, sessions and connections of the user.",
  }),
});
/** @see loginBundle */
export type LoginBundle = z.input<typeof loginBundle>;
