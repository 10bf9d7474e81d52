/** Random values for the settings that follow a real service (docs/fidelity.md). */
import fc from "fast-check";
import type { Settings } from "#contract/service/settings.ts";

const some = <T extends Record<string, fc.Arbitrary<unknown>>>(shape: T) => fc.record(shape, { requiredKeys: [] });
const oneOf = <const T extends readonly (string | number)[]>(...values: T) => fc.constantFrom<T[number]>(...values);
const size = fc.integer({ min: 1, max: 1_000 });

/** Any subset of the settings. */
export const anySettings: fc.Arbitrary<Settings> = some({
  profile: some({
    required: fc.uniqueArray(oneOf("name", "phone", "email")),
    unique: oneOf("username", "both"),
  }),
  profiles: some({ invalidStatus: oneOf(422, 400), takenStatus: oneOf(422, 409, 400) }),
  update: some({ null: oneOf("clear", "ignore", "refuse"), touch: oneOf("always", "onChange") }),
  metadata: some({ merge: oneOf("shallow", "deep"), null: oneOf("keep", "remove") }),
  unknownFields: oneOf("ignore", "refuse"),
  list: some({
    pageParameter: oneOf("page", "pageNumber", "offset"),
    limitParameter: oneOf("limit", "perPage", "pageSize"),
    defaultLimit: size,
    maxLimit: size,
    overLimit: oneOf("refuse", "cut"),
    badParameter: oneOf("refuse", "ignore"),
    firstPage: oneOf(1, 0),
    envelope: oneOf("none", "data"),
    order: oneOf("oldest", "newest"),
  }),
  delete: some({ again: oneOf(404, 204) }),
  passcode: some({ previous: oneOf("replaced", "valid") }),
  authenticate: some({ refusedStatus: oneOf(401, 400, 403, 404, 422) }),
  unknownAppStatus: oneOf(401, 403, 404, 422),
  session: some({ expiration: oneOf("seconds", "milliseconds", "ttl") }),
  errors: some({ shape: oneOf("default", "error"), fields: oneOf("flat", "nested") }),
}) as fc.Arbitrary<Settings>;

/** The paths of the settings that follow a real service (docs/fidelity.md). */
export const MEASURED = [
  "profile.required",
  "profile.unique",
  "profiles.invalidStatus",
  "profiles.takenStatus",
  "update.null",
  "update.touch",
  "metadata.merge",
  "metadata.null",
  "unknownFields",
  "list.pageParameter",
  "list.limitParameter",
  "list.defaultLimit",
  "list.maxLimit",
  "list.overLimit",
  "list.badParameter",
  "list.firstPage",
  "list.envelope",
  "list.order",
  "delete.again",
  "passcode.previous",
  "authenticate.refusedStatus",
  "unknownAppStatus",
  "session.expiration",
  "errors.shape",
  "errors.fields",
];
