import { join } from "node:path";

/** @returns the path of an icon relative to the built shell, the same in the package and in a checkout. */
export const picture = (name: string): string => join(import.meta.dirname, "../../tools/icons", `${name}.png`);
