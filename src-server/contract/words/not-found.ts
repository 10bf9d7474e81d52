/** One sentence for something that does not exist, for every place: HTTP, command line, console and agents. */

/** Listing more names than this is no help. */
const FEW = 20;
/** Characters of a name that are shown. */
const MOST_NAME = 64;

/**
 * @param existing names to list, where that helps. @param within where it was looked for, if not everywhere.
 * @returns what is missing: `No app "ghost". Apps: demo-app, demo-mail`.
 */
export const notFoundText = (kind: string, name: string, existing?: readonly string[], within = ""): string => {
  const sought = `No ${kind} ${JSON.stringify(name.slice(0, MOST_NAME))}${within}`;
  if (existing === undefined || existing.length > FEW) return sought;
  return `${sought}. ${kind.charAt(0).toUpperCase()}${kind.slice(1)}s: ${existing.join(", ") || "none"}`;
};

/** @param existing the apps, to list them. @returns the sentence for an app: `No app "ghost". Apps: demo-app, demo-mail`. */
export const noApp = (appId: string, existing?: readonly { readonly appId: string }[]): string =>
  notFoundText("app", appId, existing && Array.from(existing, ({ appId: id }) => id));
