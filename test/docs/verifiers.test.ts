/** docs/verifiers.md, and the matrix of docs/internals/verifiers.md: the code for jose, against every wrong token. `node test/verifiers/run.mjs` runs all verifiers. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { DEFECT_NAMES, isAdvice } from "#contract/service/token-defects.ts";
import type { RunningServer } from "#server/server.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

const page = readFileSync(fileURLToPath(new URL("../../docs/verifiers.md", import.meta.url)), "utf8");
const matrix =
  readFileSync(fileURLToPath(new URL("../../docs/internals/verifiers.md", import.meta.url)), "utf8")
    .split("<!-- matrix -->")[1]
    ?.split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim()),
    ) ?? [];
const module = z.object({
  verify: z.custom<(token: string) => Promise<string>>((value) => typeof value === "function"),
});

describe("the code for jose", () => {
  let server: RunningServer;
  let verify: (token: string) => Promise<string>;
  const folder = mkdtempSync(join(tmpdir(), "stagedoor-verifier-"));
  beforeAll(async () => {
    server = await startInProcess();
    const [, code = ""] = /<!-- verifier: jose -->\n\n```js\n([\s\S]*?)```/.exec(page) ?? [];
    const file = join(folder, "verifier.mjs");
    const jose = pathToFileURL(fileURLToPath(import.meta.resolve("jose"))).href;
    writeFileSync(
      file,
      code
        .replace('"jose"', JSON.stringify(jose))
        // In one pass: the port of an inserted URL may itself start with 4010.
        .replaceAll(/http:\/\/127\.0\.0\.1:401([01])\b/g, (_, end) => server.urls[end === "0" ? "admin" : "auth"]),
    );
    verify = module.parse(await import(pathToFileURL(file).href)).verify;
  });
  afterAll(async () => {
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("accepts the good token and rejects what the matrix says", async () => {
    const { control } = clientsOf(() => server);
    const { userId } = (await control("GET", "/profiles?appId=demo-app&limit=1")).json.items[0];
    const { id, token } = (await control("POST", "/sessions", { appId: "demo-app", userId })).json;
    expect(await verify(token)).toBe(userId);
    for (const defect of DEFECT_NAMES) {
      const wrong = (await control("POST", `/sessions/${id}/token`, { defect })).json.token;
      const passes = await verify(wrong).then(
        () => true,
        () => false,
      );
      const row = matrix.find(([name]) => name === `\`${defect}\``);
      expect([defect, passes ? "·" : "✗"]).toEqual([defect, row?.[1]]);
    }
  });
});

test("the matrix has every verifier of the page and every defect; every verifier rejects what must be rejected", () => {
  const [head = [], , ...rows] = matrix;
  const names = [...page.matchAll(/<!-- verifier: (\S+) -->/g)].map(([, name]) => name);
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(head.slice(1)).toEqual(names);
  expect(rows.map(([name]) => name)).toEqual(["good", ...DEFECT_NAMES.map((name) => `\`${name}\``)]);
  for (const [index, [, ...cells]] of rows.entries()) {
    const defect = DEFECT_NAMES[index - 1];
    const allowed = defect === undefined ? ["✓"] : isAdvice(defect) ? ["✗", "·"] : ["✗"];
    for (const cell of cells) expect(allowed).toContain(cell);
  }
});
