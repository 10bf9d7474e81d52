/**
 * What one app of the server that is killed must hold, as its client knows it.
 */

/** A profile as the client sent it last. */
export interface Person {
  readonly phone: string;
  readonly name: string | null;
  /** How long the text in its metadata is. */
  readonly pad: number;
}

/** What an app must hold. Codes are by profile, the newest alone. */
export interface Held {
  readonly people: Map<string, Person>;
  readonly codes: Map<string, { readonly code: string; readonly state: string }>;
  readonly sessions: Map<string, string>;
}

/** An app as the state of the control API shows it, with what is volatile. */
export interface StateApp {
  readonly profiles?: readonly {
    readonly userId: string;
    readonly phone: string;
    readonly name: string | null;
    readonly metadata: { readonly pad?: string } | null;
  }[];
  readonly passcodes?: readonly { readonly userId: string; readonly code: string; readonly state: string }[];
  readonly sessions?: readonly { readonly id: string; readonly userId: string }[];
}

/** @returns what an app holds; nothing if it is not there. */
export const heldIn = ({ profiles = [], passcodes = [], sessions = [] }: StateApp = {}): Held => ({
  people: new Map(
    profiles.map(({ userId, phone, name, metadata }) => [userId, { phone, name, pad: metadata?.pad?.length ?? 0 }]),
  ),
  codes: new Map(passcodes.map(({ userId, code, state }) => [userId, { code, state }])),
  sessions: new Map(sessions.map(({ id, userId }) => [id, userId])),
});

/** Copies, so that a request under way changes nothing that was answered. */
export const copyOf = ({ people, codes, sessions }: Held): Held => ({
  people: new Map(people),
  codes: new Map(codes),
  sessions: new Map(sessions),
});

/** @returns the same text for the same contents, in whatever order they came. */
export const textOf = ({ people, codes, sessions }: Held): string => {
  const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(people), sorted(codes), sorted(sessions)]);
};

/** What a request would make of the app; `found` tells what only the server could choose (ids and codes). */
export type Effect = (held: Held, found: Held) => void;
