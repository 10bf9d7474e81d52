import { defineConfig } from "vitest/config";
import { TallyReporter } from "./tools/tally-reporter.ts";

/** These run the product as it is built; all others import the sources. */
const BUILT = [
  "test/hosts/**/*.test.ts",
  "test/e2e/**/*.test.ts",
  "test/readme/**/*.test.ts",
  "test/client/{documented,published,recipes,started}.test.ts",
  "test/cli/{automation,client,doctor,exec,reset-damaged,snapshot,start}.test.ts",
  "test/torture/built.test.ts",
  "test/**/*.electron.test.ts",
];

export default defineConfig({
  test: {
    reporters: ["default", new TallyReporter()],
    projects: [
      {
        extends: true,
        test: { name: "rooms", include: ["test/**/*.test.ts", "test/**/*.test.tsx"], exclude: BUILT },
      },
      {
        extends: true,
        test: {
          name: "built",
          include: BUILT,
          globalSetup: "tools/built.ts",
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
    environment: "node",
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
