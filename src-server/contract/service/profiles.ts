/** User profiles on the wire (service.md 2.1, D1 to D15). */
import { z } from "zod";
import { BOUNDS } from "../bounds.ts";
import {
  countTextOr,
  e164,
  email,
  isJsonObject,
  isoInstantText,
  type JsonObject,
  type JsonValue,
  optional,
  ruled,
  safeText,
  textUpTo,
  uuidText,
} from "../scalars.ts";
import { type Attribute, TEXTS } from "./attributes.ts";
import { DEFAULT_SETTINGS, type EffectiveSettings } from "./effective-settings.ts";
import { unsafeJson } from "./metadata.ts";
import { scenario } from "./scenarios.ts";

/** Metadata as sent: any object that JSON can hold. Its size is checked after merging (D5). */
const metadata = ruled(z.custom<JsonObject>(isJsonObject, "must be an object"), unsafeJson).meta({
  type: "object",
  additionalProperties: true,
  description: "Free-form. Keys in snake_case are returned in camelCase.",
});

const ABOUT = {
  name: { description: "Free text, at most 255 characters." },
  phone: { description: "A phone number in E.164 form, such as +12025550100." },
  email: { description: "An email address, at most 254 characters." },
} as const;

type Schemas = Readonly<Record<Attribute, z.ZodType>>;

/** The attributes of create and update; `null` is a value, an absent field stays unchanged (service.md 2.1.5, D1, D2). */
export const profileFields = z.object({
  name: textUpTo(BOUNDS.nameLength.most).nullable().exactOptional().meta(ABOUT.name),
  phone: e164.nullable().exactOptional().meta(ABOUT.phone),
  email: email.nullable().exactOptional().meta(ABOUT.email),
  metadata: metadata.nullable().exactOptional(),
} satisfies Schemas);

/** The same with `validation: "lenient"`: only types are checked, and D5 to D8 become warnings. */
export const profileFieldsLenient = z.object({
  name: safeText.nullable().exactOptional().meta(ABOUT.name),
  phone: safeText.nullable().exactOptional().meta(ABOUT.phone),
  email: safeText.nullable().exactOptional().meta(ABOUT.email),
  metadata: metadata.nullable().exactOptional(),
} satisfies Schemas);

/** Validated attributes of a profile. */
export type ProfileFields = z.infer<typeof profileFieldsLenient>;

/** A fixed passcode for one profile (D24): 4 to 10 digits. */
const testPasscode = z
  .string()
  .regex(/^[0-9]{4,10}$/, "must be 4 to 10 digits")
  .describe("The fixed passcode of this profile, which also works if none was sent.");

/** Additional fields in the control API: the fixed passcode and the scenario of the profile. */
export const profileExtras = z.object({
  testPasscode: testPasscode.nullable().exactOptional(),
  scenario: scenario.nullable().exactOptional(),
});
export type ProfileExtras = z.output<typeof profileExtras>;

/** Additional fields of an update in the control API; `replace` also removes metadata keys that are not sent. */
export const profileChangeExtras = z.object({
  ...profileExtras.shape,
  metadataMode: optional(
    z.enum(["merge", "replace"]),
    "`merge` (the default) keeps the top-level metadata keys that are not sent; `replace` removes them.",
  ),
});
export type ProfileChangeExtras = z.infer<typeof profileChangeExtras>;

/** The attributes as stored. A later one needs `.default(null)`: data of earlier versions lacks it. */
export const storedAttributes = () =>
  ({
    name: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    metadata: z.custom<JsonObject>(isJsonObject, "must be an object").nullable(),
  }) satisfies Schemas;

const shown = () => ({
  ...({
    name: z.string().nullable(),
    phone: z.string().nullable().describe("E.164."),
    email: z.string().nullable(),
    metadata: z.record(z.string(), z.custom<JsonValue>()).nullable(),
  } satisfies Schemas),
  createdAt: isoInstantText,
  updatedAt: isoInstantText,
});

/** User Profile in the responses of create, retrieve and list (service.md 2.1, D15). */
export const profileAnswer = z.object({ userId: uuidText, ...shown() });

/** User Profile in the response of update: `id` instead of `userId` (service.md 2.1.3, D11). */
export const profileUpdateAnswer = z.object({ id: uuidText, ...shown() });

/** A profile in the control API: always complete, with its app. */
export const profileItem = z.object({
  userId: uuidText,
  appId: z.string(),
  ...shown(),
  testPasscode: z.string().nullable(),
  scenario: scenario.nullable(),
});
export type ProfileItem = z.input<typeof profileItem>;

/** Maximum page number. */
const LAST_PAGE = 999_999_999;

/** Query of the paginated list (D12). */
export const pageQuery = z.object({ page: countTextOr(1, LAST_PAGE, 1), limit: countTextOr(1, 100, 25) });

const queries = new WeakMap<EffectiveSettings["list"], z.ZodObject>();

/** @returns the number of the first page in a query (D12). */
export const firstPageOf = ({ pageParameter, firstPage }: EffectiveSettings["list"]): number =>
  pageParameter === "offset" ? 0 : firstPage;

/** @returns the query with the app's parameter names and limits (D12); cached per combination. */
export const pageQueryOf = (list: EffectiveSettings["list"]): z.ZodObject => {
  if (list === DEFAULT_SETTINGS.list) return pageQuery;
  const known = queries.get(list);
  if (known !== undefined) return known;
  const { pageParameter, limitParameter, defaultLimit, maxLimit, overLimit, badParameter } = list;
  const first = firstPageOf(list);
  const size = Math.min(defaultLimit, maxLimit);
  const page = countTextOr(first, LAST_PAGE, first);
  const limit = countTextOr(1, LAST_PAGE, size);
  const [anyPage, anyLimit] = badParameter === "ignore" ? [page.catch(first), limit.catch(size)] : [page, limit];
  const made = z.object({
    [pageParameter]: anyPage,
    // A size over the limit has its own setting.
    [limitParameter]:
      overLimit === "cut"
        ? anyLimit.transform((count) => Math.min(count, maxLimit))
        : anyLimit.pipe(z.int().max(maxLimit)).meta({ maximum: maxLimit }),
  });
  queries.set(list, made);
  return made;
};

const SORTS = ["createdAt", "updatedAt", ...TEXTS] as const;
/** A field to sort profiles by. */
export type SortField = (typeof SORTS)[number];

/** Filter for listing profiles in the control API. */
export const profileQuery = z.object({
  appId: z.string().exactOptional(),
  q: z.string().exactOptional(),
  sort: z.enum(SORTS.flatMap((field) => [field, `-${field}`] as const)).default("createdAt"),
  page: countTextOr(1, LAST_PAGE, 1),
  after: optional(uuidText, "Only profiles after this one, by its userId: the `next` of the page before."),
  limit: countTextOr(1, 1_000, 100),
});
