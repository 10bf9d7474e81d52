/** What requests share is frozen at run time, also where the wall `constants` cannot see how it is made. */
import { readdir } from "node:fs/promises";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { frozen } from "#contract/frozen.ts";
import { SHARING } from "./rules.ts";

const SERVER = fileURLToPath(new URL("../../src-server", import.meta.url));

const isContainer = (value: object): boolean =>
  Array.isArray(value) ||
  value instanceof Map ||
  value instanceof Set ||
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** @returns the paths of what can be changed in a value. */
const changeable = (value: unknown, path: string, met = new Set<unknown>()): string[] => {
  if (typeof value !== "object" || value === null || met.has(value) || !isContainer(value)) return [];
  met.add(value);
  const inner = value instanceof Map || value instanceof Set ? [...value.entries()] : Object.entries(value);
  const own = Object.isFrozen(value) ? [] : [path];
  return [...own, ...inner.flatMap(([key, one]) => changeable(one, `${path}.${String(key)}`, met))];
};

test("no module of the server exports a constant that can be changed", { timeout: 240_000 }, async () => {
  const names = (await readdir(SERVER, { recursive: true })).map((name) => `src-server/${name.split(sep).join("/")}`);
  const paths = names.filter((name) => name.endsWith(".ts") && SHARING.test(name));
  expect(paths.length).toBeGreaterThan(200);
  const found: string[] = [];
  for (const path of paths) {
    const module: Readonly<Record<string, unknown>> = await import(join(SERVER, "..", path));
    for (const [name, value] of Object.entries(module)) found.push(...changeable(value, `${path} ${name}`));
  }
  expect(found).toEqual([]);
});

test("a frozen value refuses every change, at every depth, and works as before", () => {
  const schema = z.object({ a: z.string() });
  const table = frozen({ list: [{ a: 1 }], map: new Map([["a", ["b"]]]), set: new Set([1]), schema });
  const writable: { list: { a: number }[]; map: Map<string, string[]>; set: Set<number> } = JSON.parse("{}");
  Object.assign(writable, table);
  for (const change of [
    () => Object.assign(table, { more: 1 }),
    () => writable.list.push({ a: 2 }),
    () => Object.assign(writable.list[0] ?? {}, { a: 2 }),
    () => writable.map.set("c", []),
    () => writable.map.get("a")?.push("c"),
    () => writable.map.clear(),
    () => writable.set.add(2),
    () => writable.set.delete(1),
  ])
    expect(change).toThrow(TypeError);
  expect(table.map.get("a")).toEqual(["b"]);
  expect([...table.set]).toEqual([1]);
  expect(table.schema.parse({ a: "b" })).toEqual({ a: "b" });
  expect(structuredClone([...table.list])).toEqual([{ a: 1 }]);
});
