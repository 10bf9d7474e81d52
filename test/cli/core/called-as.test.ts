/** A command that a text names can be typed where this one was started. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { namingCommands } from "#server/plumbing/called-as.ts";
import { freshPath, PROGRAM, run, SCRIPT } from "../support.ts";

const env = { STAGEDOOR_CALLED_AS: "npm start --" };

test("an error names commands as npm start takes them, and as themselves without it", async () => {
  const list = ["passcode", "+12025550100", "--data", freshPath()];
  expect((await run(list, { env })).err).toContain("Start one with `npm start -- start`");
  expect((await run(list)).err).toContain("Start one with `stagedoor start`");
});

test("a child of exec, and what goes into a file, name them as themselves", async () => {
  const csv = freshPath("users.csv");
  await writeFile(csv, "phone\n+12025550100\n");
  const child = [PROGRAM, ...SCRIPT, "clock", "advance"];
  const ran = await run(["exec", "--fixtures", csv, "--", ...child], { env });
  expect(ran.err).toContain("such as `stagedoor clock advance 10m`");
  expect((await run(["helper", "pytest"], { env })).out).not.toContain("npm start");
});

test("only commands are renamed, also in styled text", () => {
  const named = namingCommands("npm start --");
  expect(named(["stagedoor seed a.csv\n", { text: "see `stagedoor --help`", style: 1 }])).toEqual([
    "npm start -- seed a.csv\n",
    { text: "see `npm start -- --help`", style: 1 },
  ]);
  for (const text of ["/home/ada/.local/share/stagedoor", "stagedoor.jsonc", "Stagedoor start", "my-stagedoor seed"])
    expect(named(text)).toBe(text);
});
