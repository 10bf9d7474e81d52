/** What the demo app at `/emulator/demo/` needs to know about an app (CONTRACT 10). */
import { z } from "zod";

const status = z.literal([200, 201]);

/** Response of GET {auth}/emulator/app. */
export const demoApp = z.object({
  name: z.string(),
  strategy: z.enum(["phone", "email"]),
  passcodeLength: z.int().meta({ description: "Number of digits in a passcode." }),
  wire: z
    .object({
      envelope: z.string().nullable(),
      appIdField: z.string(),
      userField: z.string().nullable(),
      passcodeField: z.string(),
      signUpStatus: status,
      authenticateStatus: status,
    })
    .meta({ description: "The shape of session requests: the setting `wire`." }),
  brand: z
    .object({ name: z.string().nullable(), color: z.string().nullable(), logo: z.string().nullable() })
    .meta({ description: "The setting `brand`." }),
});
