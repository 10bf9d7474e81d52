import { expect, test } from "vitest";
import { readWalls, selectTests, testsOf } from "../../tools/changed.mjs";

const walls = await readWalls();

test.each([
  [
    "src-server/contract/faults.ts",
    ["test/contract/", "test/domain/", "test/http/", "test/store/", "test/renderer/", "test/attack/"],
  ],
  ["src-server/contract/demo.ts", ["test/e2e/demo.test.ts"]],
  [
    "src-server/domain/sessions.ts",
    ["test/domain/", "test/http/", "test/http/tokens/", "test/attack/", "test/store/", "test/model/"],
  ],
  ["src-server/http/handlers/apps.ts", ["test/http/", "test/attack/", "test/boot/"]],
  ["src-server/store/disk/lock.ts", ["test/store/", "test/boot/", "test/repair/"]],
  ["src-server/commands/tail.ts", ["test/cli/"]],
  ["src-server/server.ts", ["test/boot/", "test/model/"]],
  ["src-client/events.ts", ["test/client/", "test/cli/", "test/renderer/"]],
  ["src-client/frameworks/jest.ts", ["test/client/"]],
  ["src-demo/login.ts", ["test/e2e/demo.test.ts", "test/features/devices/hello.test.ts"]],
  ["src-renderer/features/faults/fault-form.tsx", ["test/renderer/"]],
  ["fixtures/demo.json", ["test/fixtures/", "test/docs/"]],
  ["tools/start.mjs", ["test/tools/"]],
  ["tools/documents/settings-page.ts", ["test/docs/"]],
  ["docs/faults.md", ["test/docs/", "test/readme/"]],
  ["test/store/records.ts", ["test/store/"]],
  ["test/store/gone/away.ts", ["test/store/"]],
  ["test/hosts/packed.test.ts", ["test/hosts/packed.test.ts"]],
])("a change of %s runs %j", (file, places) => {
  expect(testsOf(file, walls).places).toEqual(expect.arrayContaining(places));
});

test("a change does not reach further than it must", () => {
  expect(testsOf("src-renderer/app.tsx", walls).places).toEqual(["test/renderer/"]);
  expect(testsOf("src-server/contract/faults.ts", walls).places).not.toContain("test/e2e/demo.test.ts");
});

test("what needs a build is left and said, unless it has changed itself or is all that a room has", () => {
  const tests = ["test/cli/tail.test.ts", "test/cli/client.test.ts", "test/cli/start.test.ts", "test/e2e/demo.test.ts"];
  const { run, unbuilt, why } = selectTests(["src-server/commands/tail.ts", "test/cli/start.test.ts"], walls, tests);
  expect(run).toEqual(["test/cli/tail.test.ts", "test/cli/start.test.ts"]);
  expect(unbuilt).toEqual(["test/cli/client.test.ts"]);
  expect(why[0]).toMatch(/\(commands, on which .*program, .* stand\)/);
  expect(selectTests(["src-demo/login.ts"], walls, tests).run).toEqual(["test/e2e/demo.test.ts"]);
});
