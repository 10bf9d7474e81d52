/** Reads LDIF, as directories export their entries (RFC 2849): the people in it. */
import { frozen } from "#contract/frozen.ts";
import type { JsonDraft, JsonValue } from "#contract/scalars.ts";
import { type LeftOut, type Stepwise, type Table, TableBuilder, type TableFlaw } from "./table.ts";

/** Records of a step. */
const STEP = 64;

/** @returns whether a text begins with an entry, after a version and comments. */
export const isLdif = (head: string): boolean => {
  const first = head.split(/\r\n|\r|\n/).find((line) => line.trim() !== "" && !/^(?:#|version:)/i.test(line));
  return first !== undefined && /^dn::?\s/i.test(first);
};

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** @returns the text of UTF-8 in base64; undefined: it is none, such as a picture. */
const decoded = (base64: string): string | undefined => {
  let bits = "";
  for (const digit of base64.replaceAll(/[\s=]/g, "")) {
    const value = DIGITS.indexOf(digit);
    if (value < 0) return undefined;
    bits += value.toString(2).padStart(6, "0");
  }
  const bytes = bits.match(/.{8}/g) ?? [];
  try {
    return decodeURIComponent(
      bytes.map((byte) => `%${Number.parseInt(byte, 2).toString(16).padStart(2, "0")}`).join(""),
    );
  } catch {
    return undefined;
  }
};

interface Line {
  readonly line: number;
  readonly text: string;
}

/** @returns the lines of a text without comments, each with those that continue it. */
function* wholeLines(text: string): Stepwise<readonly Line[]> {
  const lines: Line[] = [];
  let at = 0;
  for (const part of text.split(/\r\n|\r|\n/)) {
    at += 1;
    if (at % (STEP * 16) === 0) yield undefined;
    const before = lines.at(-1);
    if (part.startsWith(" ") && before !== undefined)
      lines[lines.length - 1] = { ...before, text: before.text + part.slice(1) };
    else lines.push({ line: at, text: part });
  }
  return lines.filter((line) => !line.text.startsWith("#"));
}

/** What says that an entry is somebody. */
const PERSON = /person|^user$|posixaccount|mailuser|mailrecipient/i;

const valuesOf = (value: JsonValue | undefined): readonly JsonValue[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** @returns what an entry is that is nobody, such as `groupOfNames`; undefined: it is somebody. */
const thingIn = (entry: JsonDraft): string | undefined => {
  const { changetype, objectClass } = entry;
  if (typeof changetype === "string" && changetype !== "add") return changetype;
  const classes = valuesOf(objectClass).map(String);
  if (classes.some((name) => PERSON.test(name))) return undefined;
  const hasContact = ["mail", "mobile", "telephoneNumber"].some((name) => entry[name] !== undefined);
  return hasContact ? undefined : (classes.at(-1) ?? "no class");
};

/** Names whose spelling matters here, as directories write them in any case. */
const SPELT = frozen<ReadonlyMap<string, string>>(
  new Map(["objectClass", "changetype", "mail", "mobile", "telephoneNumber"].map((name) => [name.toLowerCase(), name])),
);

/** @param text without BOM. */
export function* ldifTable(text: string): Stepwise<Table> {
  const builder = new TableBuilder();
  const flaws: TableFlaw[] = [];
  const left = new Map<string, number>();
  let entry: JsonDraft = {};
  let start = 1;
  const end = (): void => {
    if (Object.keys(entry).length > 0) {
      const thing = thingIn(entry);
      if (thing !== undefined) left.set(thing, (left.get(thing) ?? 0) + 1);
      else {
        const { dn: _, objectClass: _class, changetype: _type, ...person } = entry;
        builder.add(start, person);
      }
    }
    entry = {};
  };
  for (const [i, { line, text: content }] of (yield* wholeLines(text)).entries()) {
    if (i % STEP === STEP - 1) yield undefined;
    if (content.trim() === "" || content === "-") {
      end();
      continue;
    }
    const [, attribute = "", kind = "", written = ""] = /^([\w.-]+)(?:;[\w.;-]+)?:([:<]?)\s*(.*)$/.exec(content) ?? [];
    if (attribute === "") flaws.push({ line, reason: 'must be "attribute: value"' });
    if (attribute === "" || (attribute === "version" && Object.keys(entry).length === 0)) continue;
    if (Object.keys(entry).length === 0) start = line;
    const value = kind === ":" ? decoded(written) : kind === "<" ? undefined : written;
    if (value === undefined) continue;
    const name = SPELT.get(attribute.toLowerCase()) ?? attribute;
    const before = valuesOf(entry[name]);
    entry[name] = before.length === 0 ? value : [...before, value];
  }
  end();
  const leftOut = [...left].map(([name, count]): LeftOut => ({ name, count }));
  const { columns, rows } = builder;
  return { form: "LDIF", columns, rows, flaws, isText: false, left: { what: "entries", list: leftOut } };
}
