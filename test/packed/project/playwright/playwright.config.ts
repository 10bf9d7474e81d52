import { defineConfig } from "@playwright/test";

export default defineConfig({ fullyParallel: true, workers: 8, timeout: 120_000, reporter: "line" });
