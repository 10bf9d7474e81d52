/**
 * The attributes of a profile (service.md 2.1): the one list of their names and kinds. Schemas, records, search, forms and
 * tools take the names from here, and a table that lacks one does not compile.
 */

/** Each attribute in the order of the service (service.md 2.1), and whether it is text or an object. */
const ATTRIBUTES = { name: "text", phone: "text", email: "text", metadata: "object" } as const;
export type Attribute = keyof typeof ATTRIBUTES;
/** The attributes that are text. A client can send them when it signs in. */
export type TextAttribute = { [A in Attribute]: (typeof ATTRIBUTES)[A] extends "text" ? A : never }[Attribute];

const isText = (name: string): name is TextAttribute =>
  Object.entries(ATTRIBUTES).some(([one, kind]) => one === name && kind === "text");

/** @see TextAttribute */
export const TEXTS: readonly TextAttribute[] = Object.keys(ATTRIBUTES).filter(isText);

/** The other attributes, which are objects. */
export const OBJECTS: readonly Exclude<Attribute, TextAttribute>[] = Object.keys(ATTRIBUTES).filter(
  (name): name is Exclude<Attribute, TextAttribute> => name in ATTRIBUTES && !isText(name),
);

/** @returns the text attribute with this name; undefined if there is none. */
export const textAttribute = (name: string): TextAttribute | undefined => TEXTS.find((one) => one === name);
