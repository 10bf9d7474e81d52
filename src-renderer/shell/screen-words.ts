import type { Screen } from "../ui/address.ts";

/** What the screens are called. */
export const SCREEN_WORDS: Readonly<Record<Screen, string>> = {
  inbox: "Inbox",
  sessions: "Sessions",
  connect: "Connect",
};
