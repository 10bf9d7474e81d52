import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { missingFrom } from "../../tools/complete-lock.mjs";

test("the lock file works on every platform and names no registry", async () => {
  const text = await readFile(new URL("../../package-lock.json", import.meta.url), "utf8");
  expect(missingFrom(JSON.parse(text).packages), "run: node tools/complete-lock.mjs").toEqual({});
  expect(text).not.toMatch(/"resolved"|https?:\/\/(?:localhost|127\.|10\.|192\.168\.)/);
});

test("a missing package is added only for its platform", () => {
  const packages = {
    "node_modules/tool": {
      version: "1.0.0",
      dev: true,
      optionalDependencies: { "@t/cli-linux-x64-musl": "1.0.0", a: "2.0.0" },
    },
    "node_modules/tool/node_modules/a": { version: "2.0.0" },
  };
  expect(missingFrom(packages)).toEqual({
    "node_modules/@t/cli-linux-x64-musl": {
      version: "1.0.0",
      cpu: ["x64"],
      dev: true,
      libc: ["musl"],
      optional: true,
      os: ["linux"],
    },
  });
});
