/** A file with fixtures or users, and how it is read: the same everywhere that names one. */
import { z } from "zod";
import { type JsonValue, optional } from "../scalars.ts";

/** What becomes of columns that are no field. */
export const RESTS = ["metadata", "drop"] as const;
/** Which of several rows that differ about one user is taken. */
export const DUPLICATES = ["first", "last", "refuse"] as const;
/** A country, such as `US`. */
export const countryCode = z.string().regex(/^[A-Za-z]{2}$/, "must be the code of a country, such as US");

/** Encodings by what they are called, without case and punctuation. */
const ENCODINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [1250, 1251, 1252, 1253, 1254, 1255, 1256, 1257, 1258].flatMap((page) =>
      ["", "cp", "windows", "win"].map((prefix) => [`${prefix}${page}`, `windows-${page}`]),
    ),
  ),
  utf8: "utf-8",
  utf16: "utf-16le",
  utf16le: "utf-16le",
  utf16be: "utf-16be",
  latin1: "windows-1252",
  latin2: "iso-8859-2",
  iso88591: "windows-1252",
  iso88592: "iso-8859-2",
  iso88595: "iso-8859-5",
  iso885915: "iso-8859-15",
  koi8r: "koi8-r",
  koi8u: "koi8-u",
  shiftjis: "shift_jis",
  sjis: "shift_jis",
  cp932: "shift_jis",
  eucjp: "euc-jp",
  euckr: "euc-kr",
  gbk: "gbk",
  gb2312: "gbk",
  gb18030: "gb18030",
  big5: "big5",
};

/** @returns the encoding that a name such as `1250`, `cp1251` or `Shift_JIS` stands for; undefined: none. */
export const encodingOf = (name: string): string | undefined =>
  ENCODINGS[name.toLowerCase().replaceAll(/[^a-z0-9]/g, "")];
/** What to say of a name that is none. */
export const NO_ENCODING = "must be an encoding such as windows-1250, windows-1251, shift_jis or gbk";
/** An encoding, such as `windows-1250`. */
export const encodingName = z.string().refine((name) => encodingOf(name) !== undefined, NO_ENCODING);

/** How a file of users is read. */
const readAs = z.strictObject({
  map: optional(
    z.record(z.string(), z.string()),
    'What columns become, by name, such as `{"Mobile": "phone"}`; an empty text leaves one out.',
  ),
  rest: optional(z.enum(RESTS), "What other columns become. Default: metadata."),
  country: optional(countryCode, "The country of phone numbers in national format, such as US."),
  encoding: optional(
    encodingName,
    "The encoding of the file, such as windows-1250 or shift_jis. Default: UTF-8, else windows-1252.",
  ),
  duplicates: optional(z.enum(DUPLICATES), "Which of several rows that differ about one user to take. Default: none."),
});
export type ReadAs = z.output<typeof readAs>;

/** Any path, as on a command line. */
const anyPath = z.string().min(1);
/** A path relative to the file that names it, to a file as tools export them: no other file of the machine is read for it. */
const nearPath = z
  .string()
  .regex(
    /^(?![/\\~]|[A-Za-z]:)[^\0]+\.(?:jsonc?|ndjson|jsonl|csv|tsv|txt)$/i,
    'must be a relative path to a file with fixtures or users, such as "./base.json" or "./users.csv"',
  );

const sourceOf = <P extends z.ZodType<string>>(path: P) => {
  const named = z.strictObject({ file: path, ...readAs.shape });
  return z.union([path, named]);
};

/** A file, as a start gets it. */
export const fixtureSource = sourceOf(anyPath);
export type FixtureSource = z.output<typeof fixtureSource>;
/** A file that another one names. */
export const nearSource = sourceOf(nearPath);

/** @returns the part of `nearSource` for a value, whose errors then say what is wrong with it. */
export const nearSourceFor = (value: JsonValue | undefined): z.ZodType<FixtureSource> =>
  typeof value === "object" && value !== null ? nearSource.options[1] : nearSource.options[0];

/** @returns the path of a file. */
export const pathOf = (source: FixtureSource): string => (typeof source === "string" ? source : source.file);
/** @returns how it is read. */
export const readAsOf = (source: FixtureSource): ReadAs => {
  if (typeof source === "string") return {};
  const { file: _, ...how } = source;
  return how;
};
/** @returns the file, read in this way unless it says otherwise; a text if nothing is said. */
export const sourceWith = (source: FixtureSource, usual: ReadAs): FixtureSource => {
  const how = { ...usual, ...readAsOf(source) };
  return Object.keys(how).length === 0 ? pathOf(source) : { file: pathOf(source), ...how };
};

/** How options say it: `map` has a `Column=field` each; null: not said. */
export interface ReadOptions {
  readonly map: readonly string[];
  readonly rest: (typeof RESTS)[number] | null;
  readonly country: string | null;
  readonly encoding: string | null;
  readonly duplicates: (typeof DUPLICATES)[number] | null;
}

/** @returns what options say. */
export const readAsBy = ({ map, ...others }: ReadOptions): ReadAs => ({
  ...(map.length > 0 && {
    map: Object.fromEntries(
      map.map((text) => [text.slice(0, text.lastIndexOf("=")).trim(), text.slice(text.lastIndexOf("=") + 1)]),
    ),
  }),
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null)),
});
