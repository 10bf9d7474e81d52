/// <reference path="./raw.d.ts" />
/** `stagedoor helper`: prints a file for tests in another language. */
import { type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";

/** Loads a text. */
type LoadText = () => Promise<{ readonly default: string }>;

/** One helper. */
interface Helper {
  /** The line that makes use of it. */
  readonly use: string;
  readonly file: LoadText;
  /** Tests that show what it can do; absent: the file itself does. */
  readonly example?: LoadText;
  /** What `--package` does to it, and the package without. */
  readonly package?: { readonly byDefault: string; readonly line: (name: string) => string };
}

/** By name, in the order of the list. */
const HELPERS: Readonly<Record<string, Helper>> = {
  pytest: {
    use: "stagedoor helper pytest > stagedoor_pytest.py; echo 'pytest_plugins = \"stagedoor_pytest\"' >> conftest.py; stagedoor exec -- pytest",
    file: () => import("./files/stagedoor_pytest.py?raw"),
    example: () => import("./files/test_login.py?raw"),
  },
  junit5: {
    use: "stagedoor helper junit5 > src/test/java/Stagedoor.java; stagedoor exec -- mvn test",
    file: () => import("./files/Stagedoor.java?raw"),
    example: () => import("./files/LoginTest.java?raw"),
    package: { byDefault: "", line: (name) => (name === "" ? "" : `package ${name};\n\n`) },
  },
  go: {
    use: "stagedoor helper go --package login_test > stagedoor_test.go; stagedoor exec -- go test ./...",
    file: () => import("./files/stagedoor_test.go?raw"),
    example: () => import("./files/login_test.go?raw"),
    package: { byDefault: "main_test", line: (name) => name },
  },
  rspec: {
    use: "stagedoor helper rspec > spec/stagedoor_helper.rb; stagedoor exec -- rspec",
    file: () => import("./files/stagedoor_helper.rb?raw"),
    example: () => import("./files/login_spec.rb?raw"),
  },
  phpunit: {
    use: "stagedoor helper phpunit > tests/StagedoorTestCase.php; stagedoor exec -- phpunit tests",
    file: () => import("./files/StagedoorTestCase.php?raw"),
    example: () => import("./files/LoginTest.php?raw"),
  },
  postman: {
    use: "stagedoor helper postman > login.json; stagedoor exec -- newman run login.json",
    file: () => import("./files/stagedoor.postman_collection.json?raw"),
  },
};

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
