/** docs/tokens.md: its table of defects matches the contract's. */
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { DEFECT_NAMES, DEFECTS, isAdvice } from "#contract/service/token-defects.ts";

const page = await readFile(new URL("../../docs/tokens.md", import.meta.url), "utf8");
const cells = (line: string): string[] =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());

test("each defect is described as the control API describes it", () => {
  const table = page.split("<!-- defects -->")[1]?.split("<!-- /defects -->")[0] ?? "";
  const rows = table
    .split("\n")
    .filter((line) => line.startsWith("| `"))
    .map(cells);
  expect(rows).toEqual(
    DEFECT_NAMES.map((name) => [`\`${name}\``, DEFECTS[name].why, isAdvice(name) ? "advice" : "must be refused"]),
  );
});
