import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { useMemoryDir } from "../memory-dir.ts";
import { ProjectSequencer } from "../sequencer.ts";
import { retries, TallyReporter } from "../tally-reporter.ts";
import { BROWSER, BUILT, globsOf } from "../test-projects.mjs";

/** These replace Electron or properties of the process, so each file gets its own worker. */
const SHELL = "test/main/**/*.test.ts";

const setupFile = "test/support/setup.ts";
const built = { globalSetup: "tools/built.ts", setupFiles: [setupFile, "tools/built-setup.ts"] };

useMemoryDir();

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  test: {
    reporters: ["default", new TallyReporter()],
    projects: [
      {
        extends: true,
        test: { ...built, name: "browser", include: globsOf(BROWSER) },
      },
      { extends: true, test: { ...built, name: "built", include: globsOf(BUILT) } },
      { extends: true, test: { ...built, name: "shell", include: [SHELL], isolate: true } },
      {
        extends: true,
        test: {
          name: "rooms",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...globsOf([...BROWSER, ...BUILT]), SHELL],
        },
      },
    ],
    retry: retries(),
    environment: "node",
    pool: "threads",
    // Test files in a worker share their modules, which saves most of the time; modules must not keep state.
    isolate: false,
    // More than the cores: tests of browsers and commands spend a third of their time waiting.
    maxWorkers: availableParallelism() + 3,
    sequence: { sequencer: ProjectSequencer },
    setupFiles: setupFile,
    // Only a hanging test takes this long; a busy machine must not fail one.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
  },
});
