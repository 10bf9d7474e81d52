/** Paths in options, variables and the configuration file: `~` is the home folder, `$NAME` is refused. */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { freshPath, run, runAlone } from "../support.ts";

/** @returns a home folder and a working directory of their own, and what runs a command there. */
const place = () => {
  const home = freshPath("home");
  const cwd = freshPath("project");
  for (const folder of [home, cwd]) mkdirSync(folder);
  const env = { HOME: home, USERPROFILE: home };
  return { home, cwd, run: (args: readonly string[], more = {}) => runAlone(args, { cwd, env: { ...env, ...more } }) };
};
/** Ends at once. */
const NOTHING = ["--", process.execPath, "-e", "0"];
const APP = JSON.stringify({ apps: [{ appId: "acme", secret: "sk_acme", strategy: "phone" }] });

describe("a leading ~", () => {
  test("is the home folder in flags: what is read, and what is written", async () => {
    const { home, cwd, run: there } = place();
    writeFileSync(join(home, "app.json"), APP);
    const ended = await there(["exec", "--fixtures=~/app.json", "--export-on-exit=~/out/state.json", ...NOTHING]);
    expect(ended).toMatchObject({ status: 0 });
    expect(existsSync(join(home, "out/state.json"))).toBe(true);
    expect(existsSync(join(cwd, "~"))).toBe(false);
  });

  test("in arguments, and alone", async () => {
    const { home, cwd, run: there } = place();
    const ended = await there(["status", "--data", "~"]);
    expect(ended.err).toContain(`uses ${home}.`);
    expect((await there(["coverage", "~/none.json"])).err).toContain(join(home, "none.json"));
    expect(existsSync(join(cwd, "~"))).toBe(false);
  });

  test("in the environment, in lists too", async () => {
    const { home, run: there } = place();
    writeFileSync(join(home, "app.json"), APP);
    expect((await there(["status"], { STAGEDOOR_DATA: "~/data" })).err).toContain(`uses ${join(home, "data")}.`);
    const program = "process.exit(process.env.STAGEDOOR_APP_ID === 'acme' ? 0 : 9)";
    const ended = await there(["exec", "--", process.execPath, "-e", program], { STAGEDOOR_FIXTURES: "~/app.json" });
    expect(ended).toMatchObject({ status: 0 });
  });

  test("in the configuration file", async () => {
    const { home, cwd, run: there } = place();
    writeFileSync(join(home, "app.json"), APP);
    writeFileSync(join(cwd, "stagedoor.config.json"), JSON.stringify({ fixtures: ["~/app.json"] }));
    const program = "process.exit(process.env.STAGEDOOR_APP_ID === 'acme' ? 0 : 9)";
    expect(await there(["exec", "--", process.execPath, "-e", program])).toMatchObject({ status: 0 });
  });

  test("data that a configuration file puts there is not below that file", async () => {
    const { cwd, run: there } = place();
    writeFileSync(join(cwd, "stagedoor.config.json"), JSON.stringify({ data: "~/data" }));
    const ended = await there(["exec", ...NOTHING]);
    expect(ended).toMatchObject({ status: 2 });
    expect(ended.err).toContain("data must be a folder below this file");
  });

  test("elsewhere in a path it is a letter", async () => {
    expect((await run(["status", "--data", "/a/~b/~"])).err).toContain("uses /a/~b/~.");
    expect((await run(["status", "--data", "/a/x~1"])).err).toContain("uses /a/x~1.");
  });

  test("without a home folder it is refused", async () => {
    const { readConfig } = await import("#server/config.ts");
    const read = readConfig({}, { STAGEDOOR_DATA: "~/data" }, { platform: "linux", home: "", cwd: "/" });
    expect("errors" in read && read.errors).toEqual([
      "STAGEDOOR_DATA (or --data) begins with ~, and there is no home folder: write the whole path, not ~/data",
    ]);
  });
});

describe("what only a shell replaces", () => {
  const WHY = "which only a shell replaces";
  test.each(["$HOME/data", `\${HOME}/data`, "a/$DATA", "$env:APPDATA/data", "%APPDATA%/data"])(
    "%s is refused in a flag",
    async (path) => {
      const { cwd, run: there } = place();
      const ended = await there(["exec", "--fixtures", path, ...NOTHING]);
      const [named] = /\$\{?[\w:]+\}?|%\w+%/.exec(path) ?? [];
      expect(ended).toMatchObject({ status: 2 });
      expect(ended.err).toContain(`--fixtures contains ${named}, ${WHY}`);
      expect(existsSync(join(cwd, path))).toBe(false);
    },
  );

  test("in the file that exec writes, before its command runs", async () => {
    const { cwd, run: there } = place();
    const ended = await there(["exec", "--export-on-exit", `\${OUT}/state.json`, ...NOTHING]);
    expect(ended).toMatchObject({ status: 2 });
    expect(ended.err).toContain(`--export-on-exit contains \${OUT}, ${WHY}`);
    expect(existsSync(join(cwd, `\${OUT}`))).toBe(false);
  });

  test("in the environment and in the configuration file", async () => {
    const { cwd, run: there } = place();
    const variable = await there(["exec", ...NOTHING], { STAGEDOOR_FIXTURES: "a.json:$HOME/b.json" });
    expect(variable).toMatchObject({ status: 2 });
    expect(variable.err).toContain(`STAGEDOOR_FIXTURES (or --fixtures) contains $HOME, ${WHY}`);
    writeFileSync(join(cwd, "stagedoor.config.json"), '{\n  "signingKey": "$HOME/key.pem"\n}');
    const file = await there(["exec", ...NOTHING]);
    expect(file).toMatchObject({ status: 2 });
    expect(file.err).toContain(`stagedoor.config.json:2:17: signingKey contains $HOME, ${WHY}`);
  });

  test("a price in a file's name is none", async () => {
    expect((await run(["status", "--data", "/a/price$9/b$"])).err).toContain("uses /a/price$9/b$.");
  });
});
