/** Loaded with `--import`: generators get TypeScript 5, because TypeScript 7, which the project uses, has no JavaScript API. */
import { register } from "node:module";

const url = JSON.stringify(import.meta.resolve("typescript-5"));
const hook = `export const resolve = (name, context, next) =>
  name === "typescript" ? { url: ${url}, shortCircuit: true } : next(name, context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
