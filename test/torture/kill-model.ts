/** The expected content of an app on the server that is killed, as its client knows it. */

/** A profile as last sent by the client. */
export interface Person {
  readonly phone: string;
  readonly name: string | null;
  /** Length of the text in its metadata. */
  readonly pad: number;
}

/** The expected content of an app. Codes by profile, only the newest. */
export interface Held {
  readonly people: Map<string, Person>;
  readonly codes: Map<string, { readonly code: string; readonly state: string }>;
  readonly sessions: Map<string, string>;
}

/** An app in the state of the control API, with volatile parts. */
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

/** @returns the content of an app; empty if it does not exist. */
export const heldIn = ({ profiles = [], passcodes = [], sessions = [] }: StateApp = {}): Held => ({
  people: new Map(
    profiles.map(({ userId, phone, name, metadata }) => [userId, { phone, name, pad: metadata?.pad?.length ?? 0 }]),
  ),
  codes: new Map(passcodes.map(({ userId, code, state }) => [userId, { code, state }])),
  sessions: new Map(sessions.map(({ id, userId }) => [id, userId])),
});

/** Copies, so that a pending request does not change acknowledged content. */
export const copyOf = ({ people, codes, sessions }: Held): Held => ({
  people: new Map(people),
  codes: new Map(codes),
  sessions: new Map(sessions),
});

/** @returns the same text for the same content, in whatever order. */
export const textOf = ({ people, codes, sessions }: Held): string => {
  const sorted = (map: ReadonlyMap<string, unknown>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([sorted(people), sorted(codes), sorted(sessions)]);
};

/** What a request would change in the app; `found` contains what only the server could choose (ids and codes). */
export type Effect = (held: Held, found: Held) => void;
