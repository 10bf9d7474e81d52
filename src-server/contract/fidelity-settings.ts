/**
 * The settings that replace an assumption about the real service by what it does (CONTRACT 12): each names its decision, and
 * its default is what Stagedoor has decided.
 */
import { z } from "zod";

const optional = <T extends z.ZodType>(schema: T, description: string) => schema.exactOptional().meta({ description });
const group = <T extends z.core.$ZodLooseShape>(description: string, shape: T) =>
  optional(z.strictObject(shape), description);

const MOST_LISTED = 1_000;
const listed = z.int().min(1).max(MOST_LISTED);

/** Of the group `passcode`. */
export const previousPasscode = optional(
  z.enum(["replaced", "valid"]),
  "valid: an older passcode still works after a newer one was sent, until it is used or expires (D24).",
);

/** Of the group `session`. */
export const expirationUnit = optional(
  z.enum(["seconds", "milliseconds", "ttl"]),
  "The value of `expiration`: UNIX seconds, UNIX milliseconds, or the seconds that are left (D28).",
);

/** The groups of their own. */
export const fidelitySettings = {
  profile: group("Which profiles the service accepts.", {
    required: optional(
      z
        .array(z.enum(["name", "phone", "email"]))
        .max(3)
        .refine((fields) => new Set(fields).size === fields.length, "must name each field once"),
      "The fields that a new profile must have (D1).",
    ),
    unique: optional(
      z.enum(["username", "both"]),
      "both: phone and email are each unique within the app, whichever users sign in with (D9).",
    ),
  }),
  update: group("Updates of a profile.", {
    null: optional(
      z.enum(["clear", "ignore", "refuse"]),
      "A field that is null: it is cleared, ignored, or rejected with 422 (D2).",
    ),
    touch: optional(z.enum(["always", "onChange"]), "onChange: updatedAt moves only if a value has changed (D2)."),
  }),
  metadata: group("Metadata of a profile.", {
    merge: optional(z.enum(["shallow", "deep"]), "deep: nested objects are merged too (D3)."),
    null: optional(z.enum(["keep", "remove"]), "remove: a key that is set to null is removed (D3)."),
  }),
  unknownFields: optional(
    z.enum(["ignore", "refuse"]),
    "refuse: a field that the service does not know, or sets itself, is rejected with 422 (D10).",
  ),
  list: group("The list of profiles.", {
    pageParameter: optional(
      z.enum(["page", "pageNumber", "offset"]),
      "The query parameter that selects a page; offset counts profiles from 0 (D12).",
    ),
    limitParameter: optional(
      z.enum(["limit", "perPage", "pageSize"]),
      "The query parameter with the size of a page (D12).",
    ),
    defaultLimit: optional(listed, "The size of a page if the request names none; at most maxLimit holds (D12)."),
    maxLimit: optional(listed, "The largest size of a page; a larger one is rejected with 422 (D12)."),
    envelope: optional(z.enum(["none", "data"]), 'data: the array is in `{"data": […]}` (D12).'),
    order: optional(z.enum(["oldest", "newest"]), "Which profile comes first (D12)."),
  }),
  delete: group("Deletions of a profile.", {
    again: optional(z.literal([404, 204]), "The status for a profile that is already gone (D14)."),
  }),
  authenticate: group("Authentication.", {
    refusedStatus: optional(z.literal([401, 400, 403, 404, 422]), "The status of a failed authentication (D25)."),
  }),
  unknownAppStatus: optional(
    z.literal([401, 403, 404, 422]),
    "The status for an appId that no app has. Of several apps that set it, the oldest decides (D27).",
  ),
  errors: group("The body of errors on the admin and auth URLs.", {
    shape: optional(z.enum(["default", "error"]), 'error: `{"error": "…"}` instead of message and instruction (D25).'),
    fields: optional(z.enum(["flat", "nested"]), 'nested: a 422 is `{"errors": {…}}` (D23).'),
  }),
} as const;
