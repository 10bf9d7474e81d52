/** Secrets in what is handed on (bundles of logins, HAR): masked by their names, then wherever their values stand. */
import { isJsonArray, isJsonObject, type JsonValue } from "../scalars.ts";
import { plainJson } from "./parsed-json.ts";

/** Names of headers, parameters and fields. A passcode is none: it is what one looks for. */
const NAME =
  /passw|passphrase|pwd|secret|credential|authorization|cookie|signature|(?:api|access|private|auth|session|signing)[-_]?key|(?:access|refresh|id|auth|session|security|csrf|bearer)[-_]?token|(?:^|[-_])token$|^key$/i;
/** A code in a field that is named like a token. */
const CODE = /^"?\d{4,10}"?$/;
const JWT = /(?<![\w-])eyJ[\w-]+\.[\w-]+\.[\w-]*/g;
/** Pairs within a text: of JSON, which may be cut, of a query and of a form. */
const PAIRS = [
  /"(?<name>[^"\\]{1,64})"(?<between>\s{0,9}:\s{0,9})(?<value>"(?:[^"\\]|\\.)*"?|-?\d[\d.eE+-]*)/g,
  /(?<=^|[?&])(?<name>[^=&?\s"]{1,64})(?<between>=)(?<value>[^&\s"#]+)/g,
] as const;
/** A shorter value can stand elsewhere by chance. */
const LEAST = 8;
const MASK = "***";

const isSecret = (name: string, value: string): boolean => NAME.test(name) && !CODE.test(value);

/** @param known further secrets. @returns the value without secrets; only the scheme of an authorization stays. */
export const masked = <T extends object>(value: T, known: readonly string[]): T => {
  const found = new Set(known);
  const inText = (text: string): string =>
    PAIRS.reduce(
      (left, pairs) =>
        left.replace(pairs, (whole: string, ...groups: unknown[]) => {
          const { name, between, value: sent } = groups.at(-1) as Readonly<Record<string, string>>;
          if (name === undefined || sent === undefined || !isSecret(name, sent)) return whole;
          found.add(sent.replace(/^"|"$/g, ""));
          return between === "=" ? `${name}=${MASK}` : `"${name}"${between}"${MASK}"`;
        }),
      text.replace(JWT, MASK),
    );
  const walk = (inner: JsonValue, name: string): JsonValue => {
    if (typeof inner === "string") {
      if (!isSecret(name, inner)) return inText(inner);
      const scheme = /^\w+ /.exec(inner)?.[0] ?? "";
      found.add(inner.slice(scheme.length));
      return inner === "" ? inner : `${scheme}${MASK}`;
    }
    if (isJsonArray(inner)) return inner.map((one) => walk(one, name));
    if (!isJsonObject(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, walk(one, key)]));
  };
  let text = JSON.stringify(walk(plainJson(value), ""));
  for (const secret of found)
    if (secret.length >= LEAST) text = text.replaceAll(JSON.stringify(secret).slice(1, -1), MASK);
  return JSON.parse(text);
};
