/** What the client reads of its surroundings. In a browser there is no `process`. */
declare const process: { readonly env: Readonly<Record<string, string | undefined>> } | undefined;

/** @returns a variable of the environment; undefined where there is none, as in a browser. */
export const variable = (name: "STAGEDOOR_CONSOLE_URL" | "STAGEDOOR_ACCESS_TOKEN"): string | undefined =>
  typeof process === "undefined" ? undefined : process.env?.[name] || undefined;
