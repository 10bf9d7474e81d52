/** From what zod found to what a client is told: `{"<field>": ["<what is wrong>", …]}` (CONTRACT 5, 422). */
import { distance } from "fastest-levenshtein";
import type { z } from "zod";
import { setKey } from "./scalars.ts";

/** What is wrong, by field: the body of a 422. */
export type FieldErrors = Record<string, string[]>;

type Issue = z.core.$ZodIssue;

/** @param path as zod gives it. @returns `apps[0].profiles[3].phone`. */
export const pathText = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === "number") return `${text}[${key}]`;
    return text === "" ? String(key) : `${text}.${String(key)}`;
  }, "");

/**
 * @param name what somebody wrote. @param known the names there are.
 * @returns the known name nearest to it, or else the only one that begins so; undefined if none is near.
 */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  let best: string | undefined;
  let least = Math.max(2, Math.ceil(name.length / 2)) + 1;
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase());
    if (d < least) [best, least] = [candidate, d];
  }
  if (best !== undefined) return best;
  const longer = known.filter((candidate) => name.length > 2 && candidate.toLowerCase().startsWith(name.toLowerCase()));
  return longer.length === 1 ? longer[0] : undefined;
};

/** @returns the sentence for a key that is not known, naming the nearest one that is. */
export const unknownName = (name: string, known: readonly string[]): string => {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `is not known here; did you mean "${nearest}"?`;
  return known.length === 0 ? "is not known here" : `is not known here (known: ${known.join(", ")})`;
};

/** @returns the definition of what a schema wraps: of `z.string().nullable()` that of the string. */
const bare = (schema: z.core.$ZodType): z.core.$ZodTypes["_zod"]["def"] => {
  // zod's own way from its general type to the union of those there are.
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.type === "pipe") return bare(def.in);
  if (def.type === "union") return def.options.map(bare).find(({ type }) => type === "object") ?? def;
  return "innerType" in def ? bare(def.innerType) : def;
};

/** @returns what gives the names that an object at a path may have by this schema: none where it has none of its own. */
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

/** @returns the error of each name that is not known. @param known the names there are, to name the nearest. */
export const unknownNames = (strangers: Iterable<string>, known: readonly string[]): FieldErrors => {
  const errors: FieldErrors = {};
  for (const name of strangers) setKey(errors, name, [unknownName(name, known)]);
  return errors;
};

/** The sentence for what must not be absent. */
export const BLANK = "can't be blank";

const KIND: Record<string, string> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "an array",
};

const format = (name: string): string => {
  if (name === "e164") return "must be a phone number in E.164 form, such as +12025550100";
  if (name === "email") return "must be an email address";
  if (name === "datetime") return "must be an instant such as 2026-01-31T12:00:00.000Z";
  if (name === "url") return "must be a URL";
  return "has the wrong form";
};

const size = (issue: Extract<Issue, { code: "too_big" | "too_small" }>): string => {
  const most = issue.code === "too_big";
  const bound = String(most ? issue.maximum : issue.minimum);
  if (issue.origin === "string")
    return `is too ${most ? "long" : "short"} (at ${most ? "most" : "least"} ${bound} characters)`;
  if (issue.origin === "array") return `must have at ${most ? "most" : "least"} ${bound} entries`;
  return `must be ${bound} or ${most ? "less" : "more"}`;
};

const describe = (issue: Issue): string => {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? BLANK : `must be ${KIND[issue.expected] ?? issue.expected}`;
    case "invalid_format":
      return issue.format === "regex" ? issue.message : format(issue.format);
    case "too_big":
    case "too_small":
      return size(issue);
    case "invalid_value":
      return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
    case "invalid_union":
      return issue.input === undefined ? BLANK : issue.message;
    default:
      return issue.message;
  }
};

const add = (errors: FieldErrors, field: string, message: string): void => {
  const list = Object.hasOwn(errors, field) ? errors[field] : undefined;
  if (list === undefined) setKey(errors, field, [message]);
  else if (!list.includes(message)) list.push(message);
};

/** @returns of a union whose one object was meant, what is wrong with that; else the issue itself. */
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
 * @param error what zod found; parse with `reportInput: true`, so that an absent field can be told from a wrong one.
 * @param options `prefix` is put before each path; `known` gives the names that an object at a path may have, to name the nearest.
 * @returns the errors by field; an error of the whole value stands under `base`.
 */
export const fieldErrors = (
  error: z.core.$ZodError,
  options: { prefix?: string; known?: (path: readonly PropertyKey[]) => readonly string[] } = {},
): FieldErrors => {
  const errors: FieldErrors = {};
  const prefix = options.prefix === undefined ? [] : [options.prefix];
  for (const issue of error.issues.flatMap(chosen)) {
    if (issue.code === "unrecognized_keys") {
      const known = options.known?.(issue.path) ?? [];
      for (const key of issue.keys) add(errors, pathText([...prefix, ...issue.path, key]), unknownName(key, known));
    } else {
      add(errors, pathText([...prefix, ...issue.path]) || "base", describe(issue));
    }
  }
  return errors;
};

/** @returns all the errors of both, without repeating a sentence. */
export const mergeErrors = (...all: readonly FieldErrors[]): FieldErrors => {
  const merged: FieldErrors = {};
  for (const errors of all)
    for (const [field, list] of Object.entries(errors)) for (const text of list) add(merged, field, text);
  return merged;
};
