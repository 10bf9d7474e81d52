/** Lazy schemas cost a parse nothing: zod does not take them for schemas that can contain themselves. */
import { expect, test } from "vitest";
import { z } from "zod";
import { type Operation, routes } from "#contract/control/routes.ts";
import { lazyObject, lazyStrictObject } from "#contract/lazy-object.ts";

test("builds its fields once, when they are first needed", () => {
  let built = 0;
  const schema = lazyObject(() => ({ name: z.string(), times: z.int().default(++built) }));
  expect(built).toBe(0);
  expect([schema.parse({ name: "a" }), schema.parse({ name: "b", more: 1 })]).toEqual([
    { name: "a", times: 1 },
    { name: "b", times: 1 },
  ]);
  expect(lazyStrictObject(() => schema.shape).safeParse({ name: "a", more: 1 }).success).toBe(false);
});

test("no operation's query or body is checked for cycles", () => {
  const schemas = Object.values<Operation>(routes).flatMap(({ query, body }) => [query, body]);
  const cyclic = schemas.filter((schema) => schema !== undefined && z.core.isRecursiveSchema(schema));
  expect(cyclic).toEqual([]);
});
