import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { type Operation, routes } from "#contract/control/routes.ts";
import { decisions } from "#contract/service/decisions.ts";
import { DEFAULT_SETTINGS } from "#contract/service/effective-settings.ts";
import { problems } from "#contract/service/problems.ts";
import { PROBES } from "#programs/conform/measure/conform.ts";

const read = (name: string): Promise<string> => readFile(new URL(`../../../docs/${name}`, import.meta.url), "utf8");
const page = await read("fidelity.md");
const sections = new Map(
  page
    .split(/^### /m)
    .slice(1)
    .map((text) => [/^<a id="d\d+"><\/a>(D\d+): \S/.exec(text)?.[1] ?? "", text.split(/^## /m)[0] ?? ""] as const),
);

/** `D2, D4 to D6` → D2, D4, D5, D6. */
const idsIn = (text: string): string[] =>
  [...text.matchAll(/D(\d+)(?: to D(\d+))?/g)].flatMap(([, from, to = from]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `D${Number(from) + i}`),
  );

const settingNames = Object.entries(DEFAULT_SETTINGS).flatMap(([name, value]) =>
  typeof value === "object" ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
);

describe("docs/fidelity.md", () => {
  test("has the decisions D1 to D15 and D20 to D32, in order", () => {
    expect([...sections.keys()]).toEqual(idsIn("D1 to D15, D20 to D32"));
  });

  test("matches the console's table of decisions in title and basis", () => {
    const here = [...sections].map(([id, text]) => [
      id,
      /^<a id="d\d+"><\/a>D\d+: (.+)$/m.exec(text)?.[1]?.replaceAll("`", ""),
      /\*\*Basis\*\*: (\w+)/.exec(text)?.[1],
    ]);
    expect(here).toEqual(Object.entries(decisions).map(([id, { title, basis }]) => [id, title, basis]));
  });

  test("has every decision named in the operation table and the error table", () => {
    const rows = Object.values<Operation>(routes).map(({ source }) => source ?? "");
    const refusals = Object.values(problems).map((row) => ("decision" in row ? row.decision : ""));
    for (const id of [...rows, ...refusals].flatMap(idsIn)) expect(sections.has(id), id).toBe(true);
  });

  test.each([...sections])(
    "%s says what the specification says, what Stagedoor does, why, and which setting changes it",
    (id, text) => {
      expect(text).toContain(`<a id="${id.toLowerCase()}"></a>`);
      for (const part of ["- **Specification**: ", "- **Stagedoor**: ", "- **Basis**: ", "**Setting**: "])
        expect(text).toContain(part);
      expect(/\*\*Basis\*\*: (specification|field|assumption)\b/.test(text)).toBe(true);
    },
  );

  test("names exactly the questions that conform asks for each decision", () => {
    const named = [...sections].map(([id, text]) => [id, /- \*\*Probe\*\*: ([^\n]*(?:\n {2}[^\n]*)*)/.exec(text)?.[1]]);
    const asked = (id: string) => PROBES.filter(({ decision }) => decision === id).map(({ question }) => question);
    for (const [id = "", text = ""] of named)
      expect(text.replaceAll("\n  ", " "), id).toBe(asked(id).join(" ") || "none.");
  });

  test("names every existing setting and no other", () => {
    const named = [...sections.values()].flatMap((text) => {
      const part = text.split("**Setting**: ")[1] ?? "";
      return [...part.matchAll(/`([a-z][A-Za-z]*(?:\.[A-Za-z]+)*)`/g)].map(([, name]) => name);
    });
    expect(named).toEqual(expect.arrayContaining(settingNames));
    for (const name of named) expect([...settingNames, "wire"]).toContain(name);
  });
});

/** @returns what a link to a page may name: explicit anchors, and its titles as GitHub turns them into anchors. */
const anchorsOf = (text: string): ReadonlySet<string | undefined> => {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => title.toLowerCase());
  const slugs = titles.map((title) => title.replace(/[^\w -]/g, "").replaceAll(" ", "-"));
  return new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id).concat(slugs));
};

describe("links between the pages of docs", () => {
  test.each(["fidelity.md", "settings.md", "control-api.md"])("%s has no dead links", async (name) => {
    const text = await read(name);
    for (const [link, file = name, anchor] of text.matchAll(/\]\(([\w-]+\.md)?(?:#([\w-]+))?\)/g)) {
      const page = await read(file);
      if (anchor !== undefined) expect(anchorsOf(page).has(anchor), link).toBe(true);
    }
  });
});
