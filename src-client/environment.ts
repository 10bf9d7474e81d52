/** Access to environment variables and warnings. Browsers have no `process`. */
declare const process:
  | {
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly emitWarning?: (text: string, type: string) => void;
    }
  | undefined;

/** @returns an environment variable; undefined if it is not set, or in a browser. */
export const variable = (name: string): string | undefined =>
  typeof process === "undefined" ? undefined : process.env?.[name] || undefined;

/** Prints a warning like Node's own. Does nothing in a browser. */
export const warn = (text: string): void => {
  if (typeof process !== "undefined") process.emitWarning?.(text, "StagedoorWarning");
};
