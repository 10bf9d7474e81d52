/** What the demo app at `/emulator/demo/` needs to know about an app. */
import { z } from "zod";
import { STRATEGY_NAMES } from "../service/strategies.ts";

const status = z.literal([200, 201]);

/** Response of GET {auth}/emulator/app. */
export const demoApp = z.object({
  name: z.string(),
  strategy: z.enum(STRATEGY_NAMES),
  passcodeLength: z.int().describe("Number of digits in a passcode."),
  sessionExtensions: z.boolean().describe("Whether signing out ends the session: the setting `sessionExtensions`."),
  wire: z
    .object({
      envelope: z.string().nullable(),
      appIdField: z.string(),
      userField: z.string().nullable(),
      passcodeField: z.string(),
      signUpStatus: status,
      authenticateStatus: status,
    })
    .describe("The shape of session requests: the setting `wire`."),
  brand: z
    .object({ name: z.string().nullable(), color: z.string().nullable(), logo: z.string().nullable() })
    .describe("The setting `brand`."),
  texts: z
    .record(z.string(), z.string())
    .describe("The texts of the demo app by name, with those of the setting `brand.texts`."),
});
export type DemoApp = z.infer<typeof demoApp>;
