/** The messages between the console's stage and the demo app in its frame, each with `stage: 1`. */
import { z } from "zod";

const pixels = z.number();
const stateMessage = z.object({
  stage: z.literal(1),
  type: z.literal("state"),
  /** Of the login. `offline`: a call got no response. */
  state: z.enum([
    "loading",
    "idle",
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
  /** The response that led to this state. */
  requestId: z.string().nullable(),
  /** Left, top, width and height of the code field in the phone's page; null if it expects no code. */
  field: z.tuple([pixels, pixels, pixels, pixels]).nullable(),
});

/** A message from the phone; `escape`: the key was pressed there. */
export const phoneMessage = z.union([stateMessage, z.object({ stage: z.literal(1), type: z.literal("escape") })]);
/** The state of the login on the phone. */
export type PhoneState = z.infer<typeof stateMessage>["state"];
/** A rectangle on the phone's page. */
export type PhoneBox = z.infer<typeof stateMessage>["field"];

/** A command for the phone; times in milliseconds, `everyMs` per letter. */
export type Order =
  | { readonly type: "hello" | "reset" }
  /** Keeps what the phone shows under an id, or returns to it. */
  | { readonly type: "keep" | "back"; readonly id: number }
  | { readonly type: "theme"; readonly theme: "light" | "dark" }
  | { readonly type: "blur" | "offline"; readonly on: boolean }
  | {
      readonly type: "persona";
      readonly username: string;
      readonly name: string;
      /** The language of the person; null: the app's. */
      readonly locale: string | null;
      readonly everyMs: number;
    }
  | { readonly type: "code"; readonly code: string; readonly afterMs: number; readonly everyMs: number };
