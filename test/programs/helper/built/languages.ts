/** The tools of other languages: how each runs the tests of a folder, and whether it is here. */
import { execFileSync } from "node:child_process";

/** One tool. */
export interface Tool {
  /** Where its helper and its example belong. */
  readonly files: readonly [helper: string, example?: string];
  /** What else it needs. */
  readonly more?: Readonly<Record<string, string>>;
  /** The commands, each a line of a shell, run at once. */
  readonly commands: readonly string[];
  /** What it prints if all ten tests are passed. */
  readonly passed: RegExp;
  /** A command that ends with 0 if the tool is here. */
  readonly probe: string;
}

/** Newman, where CI has put it; it is no dependency of ours, as it brings two hundred packages. */
const NEWMAN = process.env["STAGEDOOR_NEWMAN"] ?? "newman";
/** Debian's package junit5. */
const JUNIT = "/usr/share/java/junit-platform-console-standalone.jar";
const PARALLEL = ["enabled=true", "mode.default=concurrent", "config.strategy=fixed", "config.fixed.parallelism=4"].map(
  (setting) => `--config junit.jupiter.execution.parallel.${setting}`,
);

/** Those that cannot run tests at once by themselves run as two processes. */
const twice = (command: string): readonly string[] => [command, command];

export const TOOLS: Readonly<Record<string, Tool>> = {
  pytest: {
    files: ["stagedoor_pytest.py", "test_login.py"],
    more: { "conftest.py": 'pytest_plugins = "stagedoor_pytest"\n' },
    commands: twice("python3 -m pytest -q -p no:cacheprovider"),
    passed: /10 passed/,
    probe: "python3 -m pytest --version",
  },
  junit5: {
    files: ["Stagedoor.java", "LoginTest.java"],
    commands: [
      `javac -cp ${JUNIT} -d out *.java && java -XX:TieredStopAtLevel=1 -jar ${JUNIT} -cp out --scan-classpath ${PARALLEL.join(" ")}`,
    ],
    passed: /10 tests successful/,
    probe: `javac -version && test -f ${JUNIT}`,
  },
  go: {
    files: ["stagedoor_test.go", "login_test.go"],
    commands: ["go mod init example.com/login && go test -parallel 4 -v"],
    passed: /(?:--- PASS[\s\S]*){10}^PASS$/m,
    probe: "go version",
  },
  rspec: {
    files: ["spec/stagedoor_helper.rb", "spec/login_spec.rb"],
    commands: twice("rspec"),
    passed: /10 examples, 0 failures/,
    probe: "rspec --version",
  },
  phpunit: {
    files: ["tests/StagedoorTestCase.php", "tests/LoginTest.php"],
    commands: twice("phpunit tests"),
    passed: /OK \(10 tests/,
    probe: "phpunit --version",
  },
  postman: {
    files: ["login.json"],
    commands: [`${NEWMAN} run login.json --env-var consoleUrl=$STAGEDOOR_CONSOLE_URL --color off`],
    passed: /assertions *│ *30 *│ *0 /,
    probe: `${NEWMAN} --version`,
  },
};

/** @returns whether the tool is here. In CI a missing one is a failure. @throws Error in CI */
export const isHere = (name: string, { probe }: Tool): boolean => {
  try {
    execFileSync("sh", ["-c", probe], { stdio: "ignore" });
    return true;
  } catch (cause) {
    if (process.env["CI"]) throw new Error(`${name} is not installed, which .ci/run does`, { cause });
    return false;
  }
};
