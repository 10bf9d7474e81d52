/**
 * JSON as a literal of a programming language.
 */
import type { JsonObject, JsonValue } from "#contract/scalars.ts";

/** Stands in a body where the code goes: written as the variable `code`. */
export const CODE = "\u0000code";

/** How a language writes it. */
export interface Syntax {
  readonly open: string;
  readonly close: string;
  readonly entry: (name: string, value: string) => string;
  /** An object that is inside another one begins so, where that differs. */
  readonly inner?: string;
  /** Whether `$` in a string has to be escaped. */
  readonly dollar?: boolean;
  readonly unicode?: (hex: string) => string;
}

/** @returns a text as a string of the language. */
export const stringIn = ({ dollar = false, unicode = (hex) => `\\u${hex}` }: Syntax, text: string): string => {
  const inside = [...text].map((char) => {
    if (char === '"' || char === "\\" || (dollar && char === "$")) return `\\${char}`;
    if (char >= " " && char !== "\u007f" && char !== "\u2028" && char !== "\u2029") return char;
    return unicode((char.codePointAt(0) ?? 0).toString(16).padStart(4, "0"));
  });
  return `"${inside.join("")}"`;
};

const isObject = (value: JsonValue): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** @returns an object as the language writes it, on one line. */
export const literal = (syntax: Syntax, value: JsonObject, inside = false): string => {
  const entries = Object.entries(value).map(([name, one]) => {
    if (one === CODE) return syntax.entry(stringIn(syntax, name), "code");
    const written = isObject(one) ? literal(syntax, one, true) : stringIn(syntax, String(one));
    return syntax.entry(stringIn(syntax, name), written);
  });
  return `${inside ? (syntax.inner ?? syntax.open) : syntax.open}${entries.join(", ")}${syntax.close}`;
};
