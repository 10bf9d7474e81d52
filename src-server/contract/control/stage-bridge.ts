/** The messages between Present (`/stage`) and the demo app in its frame, each with `stage: 1`. */
import { z } from "zod";
import { PRESENT_KEYS } from "./present-keys.ts";

const stateMessage = z.object({
  stage: z.literal(1),
  type: z.literal("state"),
  /** Of the login. `filled`: a number or address was entered. `offline`: a call got no response. */
  state: z.enum([
    "loading",
    "idle",
    "typing",
    "filled",
    "asking",
    "code",
    "checking",
    "wrong",
    "expired",
    "locked",
    "failed",
    "offline",
    "signedIn",
    "unknownApp",
  ]),
  /** Whether the screen expects a code. */
  asksCode: z.boolean(),
  /** The response that led to this state. */
  requestId: z.string().nullable(),
});

/** A message from the phone; `key`: pressed there, outside its fields. */
export const phoneMessage = z.union([
  stateMessage,
  z.object({ stage: z.literal(1), type: z.literal("key"), key: z.enum(PRESENT_KEYS) }),
]);
/** The state of the login on the phone. */
export type PhoneState = z.infer<typeof stateMessage>["state"];

/** A command for the phone: `submit` presses its main button, `resend` requests another code. Milliseconds per letter. */
export type Order =
  | { readonly type: "hello" | "reset" | "submit" | "resend" }
  | { readonly type: "theme"; readonly theme: "light" | "dark" }
  | { readonly type: "user"; readonly username: string; readonly everyMs: number }
  | { readonly type: "code"; readonly code: string; readonly everyMs: number };
