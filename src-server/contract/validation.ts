/** Converts zod's issues to the body of a 422: `{"<field>": ["<what is wrong>", …]}`. */
import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { setKey } from "./scalars.ts";

/** The body of a 422: errors by field. */
export type FieldErrors = Record<string, readonly string[]>;

type Issue = z.core.$ZodIssue;

/** @param path from a zod issue. @returns text such as `apps[0].profiles[3].phone`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

/** @returns the known name nearest to one as written, or the only one with this prefix; undefined if none is near. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(name.length / 2)) + 1;
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  if (best !== undefined && least < 2) return best;
  const longer = known.filter((candidate) => name.length > 2 && candidate.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : best;
};

/** @returns the error for an unknown key, with the nearest known one. */
export const unknownName = (name: string, known: readonly string[]): string => {
  if (known.includes(name)) return "cannot be changed";
  if (name === "show" && ["apps", "settings", "locale"].some((one) => known.includes(one)))
    return "was removed with the presenter keys: delete it (on /stage, Space does each step)";
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `is unknown; did you mean "${nearest}"?`;
  return known.length === 0 ? "is unknown" : `is unknown (known: ${known.join(", ")})`;
};

/** @returns the definition of the innermost schema: the string's in `z.string().nullable()`. */
const bare = (schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] => {
  // zod's documented cast from its general type to the union of its schema types.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "pipe") return bare(def.in);
  if (def.type === "union") return def.options.map(bare).find(({ type }) => type === "object") ?? def;
  return "innerType" in def ? bare(def.innerType) : def;
};

/** @returns a function from a path to the keys that the schema allows there; empty where it names none. */
export const namesIn =
  (schema: z.core.$ZodType) =>
  (path: readonly PropertyKey[]): readonly string[] => {
    let def = bare(schema);
    for (const key of path) {
      const shape = def.type === "object" && Object.hasOwn(def.shape, key) ? def.shape[String(key)] : undefined;
      const inner = def.type === "array" ? def.element : shape;
      if (inner === undefined) return [];
      def = bare(inner);
    }
    return def.type === "object" ? Object.keys(def.shape) : [];
  };

/** @returns an error for each unknown key. @param known the valid keys, to suggest the nearest. */
export const unknownNames = (unknown: Iterable<string>, known: readonly string[]): FieldErrors => {
  const errors: FieldErrors = {};
  for (const name of unknown) setKey(errors, name, [unknownName(name, known)]);
  return errors;
};

/** The error for a missing value. */
export const BLANK = "can't be blank";

const KIND: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

const FORMAT: Readonly<Record<string, string>> = {
  e164: "must be a phone number in E.164 form, such as +12025550100",
  email: "must be an email address",
  datetime: "must be an instant such as 2026-01-31T12:00:00.000Z",
  url: "must be a URL",
};

const size = (issue: Extract<Issue, { code: "too_big" | "too_small" }>): string => {
  const most = issue.code === "too_big";
  const bound = most ? issue.maximum : issue.minimum;
  const within = `at ${most ? "most" : "least"} ${bound}`;
  if (issue.origin === "string") return `is too ${most ? "long" : "short"} (${within} characters)`;
  return issue.origin === "array" ? `must have ${within} entries` : `must be ${bound} or ${most ? "less" : "more"}`;
};

const describe = (issue: Issue): string => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? BLANK : `must be ${KIND[issue.expected] ?? issue.expected}`;
    case "invalid_format":
      return issue.format === "regex" ? issue.message : (FORMAT[issue.format] ?? "has the wrong form");
    case "too_big":
    case "too_small":
      return size(issue);
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_key":
      return issue.issues[0]?.message ?? issue.message;
    case "invalid_union":
      return issue.input === undefined ? BLANK : issue.message;
    default:
      return issue.message;
  }
};

const add = (errors: FieldErrors, field: string, message: string): void => {
  const list = Object.hasOwn(errors, field) ? errors[field] : undefined;
  if (list === undefined) setKey(errors, field, [message]);
  else if (!list.includes(message)) setKey(errors, field, [...list, message]);
};

/** @returns the issues of the one object in a union that was meant; otherwise the issue itself. */
const chosen = (issue: Issue): readonly Issue[] => {
  if (issue.code !== "invalid_union") return [issue];
  const meant = issue.errors.filter((branch) =>
    branch.every(({ path, code }) => path.length > 0 || !/^invalid_(type|value|format)$/.test(code)),
  );
  const [only, another] = meant;
  if (only === undefined || another !== undefined) return [issue];
  return only.flatMap((inner) => chosen({ ...inner, path: [...issue.path, ...inner.path] }));
};

/**
 * @param error from a parse with `reportInput: true`, which tells a missing field from a wrong one.
 * @param options `prefix` is prepended to each path; `known` returns the valid keys at a path, to suggest the nearest.
 * @returns the errors by field; an error of the whole value is under `base`.
 */
export const fieldErrors = (
  error: z.core.$ZodError,
  options: { prefix?: string; known?: (path: readonly PropertyKey[]) => readonly string[] } = {},
): FieldErrors => {
  const errors: FieldErrors = {};
  for (const issue of error.issues.flatMap(chosen)) {
    const path = options.prefix === undefined ? issue.path : [options.prefix, ...issue.path];
    if (issue.code !== "unrecognized_keys") add(errors, pathText(path) || "base", describe(issue));
    else
      for (const key of issue.keys)
        add(errors, pathText([...path, key]), unknownName(key, options.known?.(issue.path) ?? []));
  }
  return errors;
};

/** @returns the errors of all, without duplicates. */
export const mergeErrors = (...all: readonly FieldErrors[]): FieldErrors => {
  const merged: FieldErrors = {};
  for (const errors of all)
    for (const [field, list] of Object.entries(errors)) for (const text of list) add(merged, field, text);
  return merged;
};
