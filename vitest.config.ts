import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { useMemoryDir } from "./tools/memory-dir.ts";
import { retries, TallyReporter } from "./tools/tally-reporter.ts";
import { BUILT, testFiles, tierOf } from "./tools/test-projects.mjs";

/** These replace Electron or properties of the process, so each file gets its own worker. */
const SHELL = "test/main/**/*.test.ts";

const setupFile = "test/support/setup.ts";
const built = { globalSetup: "tools/built.ts", setupFiles: [setupFile, "tools/built-setup.ts"] };

/** Set by `tools/test.mjs`: quick, thorough or all. Without it, all that are named run. */
const tier = process.env["STAGEDOOR_TEST_TIER"];
const others = tier === undefined || tier === "all" ? [] : testFiles().filter((file) => tierOf(file) !== tier);

useMemoryDir();

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  test: {
    reporters: ["default", new TallyReporter()],
    projects: [
      { extends: true, test: { ...built, name: "built", include: BUILT, exclude: others } },
      { extends: true, test: { ...built, name: "shell", include: [SHELL], exclude: others, isolate: true } },
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...BUILT, SHELL, ...others],
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
    setupFiles: setupFile,
    // Only a hanging test takes this long; a busy machine must not fail one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    restoreMocks: true,
  },
});
