/**
 * The attributes of a profile (service.md 2.1): the one list of their names and kinds. Schemas, records, search, forms and
 * tools take the names from here, and a table that lacks one does not compile.
 */

/** The attributes that are text, in the order of the service (service.md 2.1). A client can send them when it signs in. */
export const TEXTS = ["name", "phone", "email"] as const;
export type TextAttribute = (typeof TEXTS)[number];

/** The other attributes, which are objects. */
export const OBJECTS = ["metadata"] as const;
export type Attribute = TextAttribute | (typeof OBJECTS)[number];

/** @returns the text attribute with this name; undefined if there is none. */
export const textAttribute = (name: string): TextAttribute | undefined => TEXTS.find((one) => one === name);
