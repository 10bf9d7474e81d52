/** The console's llms.txt: everything it names exists. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";

const text = await readFile(new URL("../../src-renderer/public/llms.txt", import.meta.url), "utf8");
const operations = new Set(
  Object.values<Operation>(routes).map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, "<id>")}`),
);
const named = [...text.matchAll(/(GET|POST|PUT|PATCH|DELETE) (?:\{auth\})?(\/[\w/<>.-]+)/g)].map(
  ([, method, path = ""]) => `${method} ${path.replaceAll(/<\w+>/g, "<id>")}`,
);

test.each(named)("%s is an operation", (operation) => expect(operations).toContain(operation));

test("has the format of llms.txt and links to the OpenAPI documents", () => {
  expect(text).toMatch(/^# Stagedoor\n\n> \S/);
  for (const name of ["admin", "auth", "emulator"]) expect(text).toContain(`(/openapi/${name}.json)`);
  expect(named.length).toBeGreaterThan(10);
});
