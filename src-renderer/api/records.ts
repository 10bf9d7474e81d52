/**
 * The records as the console holds them: the contract's, after they were checked.
 */
import type { z } from "zod";
import type { appItem } from "#contract/apps.ts";
import type { connectionItem } from "#contract/connections.ts";
import type { passcodeItem } from "#contract/passcodes.ts";
import type { profileItem } from "#contract/profiles.ts";
import type { sessionItem } from "#contract/sessions.ts";

/** An app. */
export type App = z.output<typeof appItem>;
/** A passcode. */
export type Passcode = z.output<typeof passcodeItem>;
/** A session. */
export type Session = z.output<typeof sessionItem>;
/** A connection. */
export type Connection = z.output<typeof connectionItem>;
/** A profile. */
export type Profile = z.output<typeof profileItem>;
/** A list as the control API answers it. */
export interface Listed<T> {
  items: T[];
  total: number;
}
