import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    testTimeout: 15_000,
    hookTimeout: 30_000,
    restoreMocks: true,
  },
});
