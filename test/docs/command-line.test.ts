/** docs/command-line.md and config.schema.json: everything they show works. */
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { isJsonObject } from "#contract/scalars.ts";
import { readJson } from "#contract/words/json-text.ts";
import { camelCase, optionKinds, readConfig } from "#server/config.ts";
import { NO_FILE } from "#server/config-file.ts";
import { program } from "../../tools/documents/commands.ts";
import { runsOf } from "./accepted.ts";

const inCheckout = (path: string): URL => new URL(`../../${path}`, import.meta.url);
const page = await readFile(inCheckout("docs/command-line.md"), "utf8");
const validate = new Ajv({ strict: false }).compile(
  JSON.parse(await readFile(inCheckout("config.schema.json"), "utf8")),
);

describe("every command", () => {
  const commands = program.createHelp().visibleCommands(program);
  const lines = [...page.matchAll(/^stagedoor (.*)$/gm)].map(([, line = ""]) => line);

  test.each(commands.map((command) => [command.name(), command] as const))("%s is documented", (name, command) => {
    expect(page).toContain(`### \`${name}\``);
    for (const option of command.options.filter(({ long, hidden }) => long !== "--version" && !hidden))
      expect(option.description, option.flags).not.toBe("");
    expect(lines.filter((line) => line.split(" ")[0] === name)).not.toEqual([]);
  });

  test.each(lines)("stagedoor %s is accepted", async (line) => {
    expect(await runsOf(line)).toBe(1);
  });
});

describe("config.schema.json", () => {
  const at = { platform: "linux", home: "/home/ada", cwd: "/project" } as const;
  const isRead = (options: Record<string, unknown>): boolean =>
    "config" in readConfig({}, {}, at, { ...NO_FILE, options });

  test("accepts the file on the page, like a start", () => {
    const read = readJson(/```jsonc\n([\s\S]*?)```/.exec(page)?.[1] ?? "", { jsonc: true });
    const value = "value" in read && isJsonObject(read.value) ? read.value : {};
    expect(validate(value)).toBe(true);
    expect(isRead(value)).toBe(true);
  });

  test.each([
    { authPort: 70_000 },
    { durability: "granite" },
    { watch: "maybe" },
    { fixtures: [""] },
    { bodyLimit: 1 },
  ])("rejects %o like a start", (options) => {
    expect(validate(options)).toBe(false);
    expect(isRead(options)).toBe(false);
  });

  test("contains every option except those that delete data or open the machine to others", () => {
    const names = [...optionKinds().keys()].map(camelCase);
    expect(
      names.filter((name) => validate({ [name]: "x" }) || validate.errors?.[0]?.keyword !== "additionalProperties"),
    ).toEqual(names.filter((name) => !NEVER.includes(name)));
  });
});

const NEVER = [
  "reset",
  "lan",
  "adminHost",
  "consoleHost",
  "allowHost",
  "checkHost",
  "accessToken",
  "joinToken",
  "caDir",
];
