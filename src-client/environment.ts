/** What the client reads of its surroundings, and says to them. In a browser there is no `process`. */
declare const process:
  | {
      readonly env?: Readonly<Record<string, string | undefined>>;
      readonly emitWarning?: (text: string, type: string) => void;
    }
  | undefined;

/** @returns a variable of the environment; undefined where there is none, as in a browser. */
export const variable = (name: string): string | undefined =>
  typeof process === "undefined" ? undefined : process.env?.[name] || undefined;

/** Says something to whoever reads the output of a job, as Node's own warnings do. In a browser nobody is told. */
export const warn = (text: string): void => {
  if (typeof process !== "undefined") process.emitWarning?.(text, "StagedoorWarning");
};
