/**
 * The decisions that an answer may rest on (CONTRACT 3 and 4), each in one sentence; `docs/fidelity.md` has the whole.
 */

/** What a decision rests on: the specification, what the field does, or our own choice. */
export type Basis = "specification" | "field" | "assumption";

interface Row {
  /** The heading in `docs/fidelity.md`. */
  readonly title: string;
  readonly sentence: string;
  readonly basis: Basis;
}

// biome-ignore format: a table
export const decisions = {
  D1: { title: "required fields of a new profile", sentence: "No field is required; what was not given is null.", basis: "specification" },
  D2: { title: "what an update changes", sentence: "Only the fields that are present change; null clears one.", basis: "assumption" },
  D3: { title: "how metadata is merged", sentence: "Metadata is merged at the top level; an object within is replaced whole.", basis: "specification" },
  D4: { title: "keys of metadata", sentence: "Keys in snake_case are stored and shown in camelCase.", basis: "specification" },
  D5: { title: "how large metadata may be", sentence: "At most 50 keys, 16 KiB and 8 levels, counted on the merged result.", basis: "field" },
  D6: { title: "name", sentence: "Any text of at most 255 characters.", basis: "assumption" },
  D7: { title: "phone", sentence: "A plus and 7 to 15 digits, the first of them not 0.", basis: "specification" },
  D8: { title: "email", sentence: "An address of at most 254 characters; capitals make no difference.", basis: "assumption" },
  D9: { title: "unique usernames", sentence: "The field of the app’s strategy is unique within the app; the other need not be.", basis: "assumption" },
  D10: { title: "unknown fields", sentence: "Unknown fields, and those that only the service sets, are ignored.", basis: "assumption" },
  D11: { title: "the answer to an update", sentence: "It shows id in the place of userId, and phone as null if one was sent.", basis: "specification" },
  D12: { title: "pages of the list", sentence: "A bare list, 1 to 100 a page; the counts and links stand in headers.", basis: "field" },
  D13: { title: "ids that lead nowhere", sentence: "An id that is no UUID, or is deleted, or belongs to another app is a 404.", basis: "assumption" },
  D14: { title: "what a deletion takes with it", sentence: "Sessions and passcodes go with the profile; managed connections stay, disabled.", basis: "specification" },
  D15: { title: "the order of fields", sentence: "Answers keep the order of the specification’s table.", basis: "specification" },
  D20: { title: "the body of a session request", sentence: "The app’s id, a user object and, in PUT, the passcode; checked in this order.", basis: "specification" },
  D21: { title: "other shapes of the same body", sentence: "An app’s wire settings say under which names its clients send the same things.", basis: "field" },
  D22: { title: "sign up or send a passcode", sentence: "The username decides: a new one signs up, a known one is sent a passcode.", basis: "specification" },
  D23: { title: "a username that is missing", sentence: "The field of the app’s strategy must be there; the other does not replace it.", basis: "specification" },
  D24: { title: "passcodes", sentence: "6 digits, valid for 600 s, used once, dead after 5 wrong tries; a newer one replaces the older.", basis: "assumption" },
  D25: { title: "an authentication that is refused", sentence: "Every cause gets the same 401; the exact one stands in Emulator-Reason.", basis: "assumption" },
  D26: { title: "extra information at an authentication", sentence: "Name and the other contact update the profile, when they are present and not null.", basis: "specification" },
  D27: { title: "the app's id", sentence: "An id that no app has is a 401, a missing one a 422.", basis: "assumption" },
  D28: { title: "expiration", sentence: "UNIX seconds, 24 hours after issue.", basis: "field" },
  D29: { title: "the token", sentence: "A JWT signed with ES256; its public key is in the key set of the auth URL.", basis: "assumption" },
  D30: { title: "reading and ending a session", sentence: "Only POST and PUT, unless the app’s sessionExtensions is on.", basis: "field" },
  D31: { title: "rate limits", sentence: "None, unless the app’s limits are set.", basis: "assumption" },
  D32: { title: "sign-ups that are closed", sentence: "With signUp closed a new username is refused; existing users sign in as before.", basis: "field" },
} as const satisfies Record<string, Row>;

const table: Readonly<Record<string, Row>> = decisions;

/** @returns what an id such as `D24` stands for; undefined if there is no such decision. */
export const decisionOf = (id: string): Row | undefined => (Object.hasOwn(table, id) ? table[id] : undefined);
