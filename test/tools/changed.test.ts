import { expect, test } from "vitest";
import { testsOf } from "../../tools/changed.mjs";

const FOLDERS = new Set([
  "test/store",
  "test/store/disk",
  "test/http",
  "test/http/decisions",
  "test/renderer",
  "test/cli",
  "test/client",
]);

test.each([
  ["src-server/store/disk/lock.ts", "test/store/disk/"],
  ["src-server/store/journal/writer.ts", "test/store/"],
  ["src-server/http/handlers/apps.ts", "test/http/"],
  ["src-server/commands/tail.ts", "test/cli/"],
  ["src-server/domain/sessions.ts", "test/http/decisions/"],
  ["src-server/server.ts", "test/model"],
  ["src-client/events.ts", "test/client/"],
  ["src-renderer/features/faults/fault-form.tsx", "test/renderer/"],
  ["test/store/records.ts", "test/store/"],
  ["test/store/disk/lock.test.ts", "test/store/disk/lock.test.ts"],
  ["README.md", undefined],
  ["tools/start.mjs", undefined],
])("%s is tested by %s", (file, tests) => {
  expect(testsOf(file, (folder) => FOLDERS.has(folder))).toBe(tests);
});
