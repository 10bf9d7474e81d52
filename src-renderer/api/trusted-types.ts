/**
 * Must be imported before anything is drawn: the console's Content Security Policy requires Trusted Types, and this is the
 * only policy. It lets pass what Mantine and our workers need, and nothing that could be markup or a foreign script.
 */

/** Anything that a browser could read as a tag, a comment or a declaration. */
const MARKUP = /<[a-z/!?]/i;

/** Each gives what may pass; null: the browser refuses it. */
const rules = {
  // Mantine writes its styles as the text of a style element.
  createHTML: (text: string): string | null => (MARKUP.test(text) ? null : text),
  // The workers that read and write files of users.
  createScriptURL: (text: string): string | null => {
    const { origin, pathname } = new URL(text, location.href);
    return origin === location.origin && pathname.startsWith("/assets/") ? text : null;
  },
};

/** As far as it is used here; not in every browser. */
interface TrustedTypes {
  createPolicy(name: "default", by: typeof rules): unknown;
}

const isFactory = (value: unknown): value is TrustedTypes =>
  typeof value === "object" && value !== null && "createPolicy" in value;

const factory: unknown = Reflect.get(globalThis, "trustedTypes");
// With the name `default`, the browser asks it wherever plain text is given.
if (isFactory(factory)) factory.createPolicy("default", rules);

export {};
