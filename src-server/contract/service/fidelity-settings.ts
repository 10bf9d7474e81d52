/** Settings that replace an assumption about the real service with what it actually does. */
import { z } from "zod";
import { optional } from "../scalars.ts";
import { TEXTS } from "./attributes.ts";

/** A setting. @param title its label in a form. @param description of its values. */
export const setting = <T extends z.ZodType>(title: string, schema: T, description: string) =>
  optional(schema, description, { title });

/** A group of settings. */
export const group = <T extends z.core.$ZodLooseShape>(title: string, description: string, shape: T) =>
  setting(title, z.strictObject(shape), description);

const listed = z.int().min(1).max(1_000);
const isSet = (list: readonly unknown[]): boolean => new Set(list).size === list.length;

/** Whole groups of them; `passcode` and `session` have further ones. */
// biome-ignore format: a table
export const fidelitySettings = () => ({
  profile: group("Profiles", "Which profiles the service accepts.", {
    required: setting("Required fields",
      z.array(z.enum(TEXTS)).max(TEXTS.length).refine(isSet, "must name each field once"),
      "The fields that a new profile must have (D1)."),
    unique: setting("Unique fields", z.enum(["username", "both"]),
      "both: phone and email are each unique within the app, whichever users sign in with (D9)."),
  }),
  profiles: group("profiles", "Responses to profiles that are rejected.", {
    invalidStatus: setting("Status of an invalid profile", z.literal([422, 400]),
      "The status for a profile with invalid or missing fields (D7)."),
    takenStatus: setting("Status of a taken username", z.literal([422, 409, 400]),
      "The status for a username that another profile has (D9)."),
  }),
  update: group("Profile updates", "Updates of a profile.", {
    null: setting("Null in an update", z.enum(["clear", "ignore", "refuse"]),
      "What a field that is null does: clear the value, change nothing, or fail with 422 (D2)."),
    touch: setting("When updatedAt moves", z.enum(["always", "onChange"]),
      "onChange: updatedAt changes only if a value has changed (D2)."),
  }),
  metadata: group("Metadata", "Metadata of a profile.", {
    merge: setting("How metadata is merged", z.enum(["shallow", "deep"]), "deep: nested objects are merged too (D3)."),
    null: setting("Null in metadata", z.enum(["keep", "remove"]), "remove: a key that is set to null is removed (D3)."),
  }),
  unknownFields: setting("Unknown fields", z.enum(["ignore", "refuse"]),
    "refuse: a field that the service does not know, or sets itself, is rejected with 422 (D10)."),
  list: group("Profile list", "The list of profiles.", {
    pageParameter: setting("Page parameter", z.enum(["page", "pageNumber", "offset"]),
      "The query parameter that selects a page; offset counts profiles from 0 (D12)."),
    limitParameter: setting("Page size parameter", z.enum(["limit", "perPage", "pageSize"]),
      "The query parameter with the page size (D12)."),
    defaultLimit: setting("Page size", listed,
      "The page size if the request sets none; never more than maxLimit (D12)."),
    maxLimit: setting("Largest page size", listed, "The maximum page size (D12)."),
    overLimit: setting("Page size over the limit", z.enum(["refuse", "cut"]),
      "What happens to a page size over maxLimit: 422, or a page of maxLimit profiles (D12)."),
    badParameter: setting("Bad page parameters", z.enum(["refuse", "ignore"]),
      "What happens to a bad or repeated page or page size, such as 0 or x: 422, or it counts as absent (D12)."),
    firstPage: setting("First page", z.literal([1, 0]),
      "The number of the first page; offset always begins with 0 (D12)."),
    envelope: setting("Envelope of the list", z.enum(["none", "data"]), 'data: the array is in `{"data": […]}` (D12).'),
    order: setting("Order of the list", z.enum(["oldest", "newest"]), "Which profile comes first (D12)."),
  }),
  delete: group("Profile deletion", "Deletions of a profile.", {
    again: setting("Status of a second deletion", z.literal([404, 204]),
      "The status for a profile that was already deleted (D14)."),
  }),
  authenticate: group("Authentication", "Authentication.", {
    refusedStatus: setting("Status of a failed sign-in", z.literal([401, 400, 403, 404, 422]),
      "The status of a failed authentication (D25)."),
  }),
  unknownAppStatus: setting("Status of an unknown app id", z.literal([401, 403, 404, 422]),
    "The status for an unknown appId. If several apps set it, the oldest decides (D27)."),
  errors: group("Errors", "The body of errors on the admin and auth URLs.", {
    shape: setting("Shape of errors", z.enum(["default", "error"]),
      'error: `{"error": "…"}` instead of message and instruction (D25).'),
    fields: setting("Shape of field errors", z.enum(["flat", "nested"]), 'nested: a 422 is `{"errors": {…}}` (D23).'),
  }),
});
