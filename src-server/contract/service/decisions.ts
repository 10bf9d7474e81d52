/** The decisions behind a response, one sentence each. `docs/fidelity.md` describes them in full. */

interface DecisionRow {
  /** The heading in `docs/fidelity.md`. */
  readonly title: string;
  readonly sentence: string;
  /** The specification, a related public API, or our own assumption. */
  readonly basis: "specification" | "field" | "assumption";
}

// biome-ignore format: a table
export const decisions = {
  D1: { title: "required fields on create", sentence: "No field is required. Fields that are not given are null.", basis: "specification" },
  D2: { title: "what an update changes", sentence: "Only the fields in the request change. null clears a field.", basis: "assumption" },
  D3: { title: "how metadata is merged", sentence: "Metadata is merged at the top level. A nested object is replaced as a whole.", basis: "specification" },
  D4: { title: "metadata keys", sentence: "snake_case keys are stored and returned in camelCase.", basis: "specification" },
  D5: { title: "metadata limits", sentence: "At most 50 keys, 16 KiB and 8 levels, measured on the merged result.", basis: "field" },
  D6: { title: "name", sentence: "Any string of at most 255 characters.", basis: "assumption" },
  D7: { title: "phone", sentence: "A plus sign and 7 to 15 digits, the first of which is not 0.", basis: "specification" },
  D8: { title: "email", sentence: "An address of at most 254 characters, compared without regard to case.", basis: "assumption" },
  D9: { title: "unique usernames", sentence: "The app’s strategy field is unique within the app. The other field need not be.", basis: "assumption" },
  D10: { title: "unknown fields", sentence: "Unknown fields, and fields that only the service sets, are ignored.", basis: "assumption" },
  D11: { title: "the response to an update", sentence: "It has id instead of userId, and phone is null if the request carried one.", basis: "specification" },
  D12: { title: "list pagination", sentence: "A bare array with 1 to 100 items a page. Counts and links are in headers.", basis: "field" },
  D13: { title: "unknown profile ids", sentence: "An id that is not a UUID, is deleted or belongs to another app is a 404.", basis: "assumption" },
  D14: { title: "what a deletion removes", sentence: "Sessions and passcodes are deleted with the profile. Managed connections stay, disabled.", basis: "specification" },
  D15: { title: "field order", sentence: "Responses keep the field order of the specification.", basis: "specification" },
  D20: { title: "the session request body", sentence: "appId, a user object and, in PUT, the passcode, checked in this order.", basis: "specification" },
  D21: { title: "other request shapes", sentence: "An app’s wire settings map the names that its clients use.", basis: "field" },
  D22: { title: "sign up or send a passcode", sentence: "The username decides: a new one signs up, an existing one is sent a passcode.", basis: "specification" },
  D23: { title: "missing username", sentence: "The app’s strategy field is required. The other field does not replace it.", basis: "specification" },
  D24: { title: "passcodes", sentence: "6 digits, valid for 600 s, single use, locked after 5 wrong attempts. A newer code replaces the older one.", basis: "assumption" },
  D25: { title: "failed authentication", sentence: "Every cause gets the same 401. Emulator-Reason has the exact cause.", basis: "assumption" },
  D26: { title: "extra information at authentication", sentence: "name and the other contact field update the profile if present and not null.", basis: "specification" },
  D27: { title: "the app id", sentence: "An unknown appId is a 401, a missing one a 422.", basis: "assumption" },
  D28: { title: "expiration", sentence: "UNIX seconds, 24 hours after issue, rounded up.", basis: "field" },
  D29: { title: "the token", sentence: "A JWT signed with ES256 unless the app sets another algorithm. The public key is in the JWKS of the auth URL.", basis: "assumption" },
  D30: { title: "reading and ending a session", sentence: "POST and PUT only, unless the app’s sessionExtensions setting is on.", basis: "field" },
  D31: { title: "rate limits", sentence: "None, unless the app’s limits are set.", basis: "assumption" },
  D32: { title: "closed sign-up", sentence: "With signUp closed, new usernames are rejected. Existing users sign in as before.", basis: "field" },
} as const satisfies Record<string, DecisionRow>;

const table: Readonly<Record<string, DecisionRow>> = decisions;

/** @returns the decision with an id such as `D24`; undefined if there is none. */
export const decisionOf = (id: string): DecisionRow | undefined => (Object.hasOwn(table, id) ? table[id] : undefined);
