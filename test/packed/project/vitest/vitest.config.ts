import { defineConfig } from "vitest/config";

export default defineConfig({
  test: { globalSetup: "stagedoor/vitest", maxWorkers: 8, testTimeout: 120_000 },
});
