/** `stagedoor helper`: prints a file for tests in another language. */
import { type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { HELPERS } from "./helpers.ts";

/** @see helper */
export interface HelperOptions {
  readonly example?: boolean;
  readonly package?: string;
  readonly json?: boolean;
}

const PACKAGE = /^[A-Za-z_]\w*(\.[A-Za-z_]\w*)*$/;

/** Prints a helper or its example, or the list of them. @returns 0. @throws CommandError for an unknown one. */
export const helper =
  (version: string) =>
  async (io: Io, name: string | undefined, options: HelperOptions): Promise<number> => {
    const names = Object.keys(HELPERS);
    if (name === undefined) {
      const uses = Object.fromEntries(names.map((one) => [one, HELPERS[one]?.use ?? ""]));
      const width = Math.max(...names.map(({ length }) => length));
      return print(
        io,
        options.json,
        uses,
        Object.entries(uses).map(([one, use]) => `${one.padEnd(width)}  ${use}`),
      );
    }
    const found = Object.hasOwn(HELPERS, name) ? HELPERS[name] : undefined;
    if (found === undefined) throw wrongUsage(`No helper "${printable(name)}". Helpers: ${names.join(", ")}.`);
    const { example, file, package: ofPackage } = found;
    const given = options.package;
    if (given !== undefined && ofPackage === undefined)
      throw wrongUsage(`${name} has no packages: leave --package out.`);
    if (given !== undefined && !PACKAGE.test(given))
      throw wrongUsage(`--package must be the name of a package, not "${printable(given)}".`);
    if (options.example === true && example === undefined) throw wrongUsage(`The file of ${name} is its own example.`);
    const { default: text } = await (options.example === true && example !== undefined ? example : file)();
    const line = ofPackage?.line(given ?? ofPackage.byDefault) ?? "";
    const inPackage = text.includes("PACKAGE") ? text.replace("PACKAGE", line) : text.replace(/^(?=import )/m, line);
    io.out(inPackage.replace("VERSION", version));
    return 0;
  };
