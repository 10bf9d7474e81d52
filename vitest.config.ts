import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { FolderReporter } from "./tools/folder-reporter.ts";
import { useMemoryDir } from "./tools/memory-dir.ts";
import { ProjectSequencer } from "./tools/sequencer.ts";
import { retries, TallyReporter } from "./tools/tally-reporter.ts";
import { BROWSER, BUILT, globsOf, testFiles, tierOf } from "./tools/test-projects.mjs";

/** These replace Electron or properties of the process, so each file gets its own worker. */
const SHELL = "test/main/**/*.test.ts";

const setupFile = "test/support/setup.ts";
const built = { globalSetup: "tools/built.ts", setupFiles: [setupFile, "tools/built-setup.ts"] };

/** Set by `tools/test.mjs`: quick, thorough or all. Without it, all that are named run, and each test is shown. */
const tier = process.env["STAGEDOOR_TEST_TIER"];
const others = tier === undefined || tier === "all" ? [] : testFiles().filter((file) => tierOf(file) !== tier);

useMemoryDir();

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    reporters: [tier === undefined ? "default" : new FolderReporter(), new TallyReporter()],
    projects: [
      {
        extends: true,
        test: { ...built, name: "browser", include: globsOf(BROWSER), exclude: others },
      },
      { extends: true, test: { ...built, name: "built", include: globsOf(BUILT), exclude: others } },
      { extends: true, test: { ...built, name: "shell", include: [SHELL], exclude: others, isolate: true } },
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...globsOf([...BROWSER, ...BUILT]), SHELL, ...others],
        },
      },
    ],
    retry: retries(),
    environment: "node",
    pool: "threads",
    // Test files in a worker share their modules, which saves most of the time; modules must not keep state.
    isolate: false,
    // More than the cores: tests of browsers and commands spend a third of their time waiting. Few of the quick ones do,
    // and each worker loads all modules anew.
    maxWorkers: availableParallelism() + (tier === "quick" ? 1 : 3),
    sequence: { sequencer: ProjectSequencer },
    setupFiles: setupFile,
    // Only a hanging test takes this long; a busy machine must not fail one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
  },
});
