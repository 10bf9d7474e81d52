/// <reference path="./raw.d.ts" />
/** The helpers: what each is for, and its file and its example, which are loaded when they are printed. */
import { frozen } from "#contract/frozen.ts";

/** Loads a text. */
type LoadText = () => Promise<{ readonly default: string }>;

/** One helper. */
export interface Helper {
  /** The line that makes use of it. */
  readonly use: string;
  readonly file: LoadText;
  /** Tests that show what it can do; absent: the file itself does. */
  readonly example?: LoadText;
  /** What `--package` does to it, and the package without. */
  readonly package?: { readonly byDefault: string; readonly line: (name: string) => string };
}

/** By name, in the order of the list. */
export const HELPERS = frozen<Readonly<Record<string, Helper>>>({
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
});
