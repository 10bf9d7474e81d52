import { describe, expect, test } from "vitest";
import { run, runAlone } from "../support.ts";

const COMMANDS = ["start", "exec", "stage", "seed", "export", "passcode", "reset", "doctor"];

describe("help and version", () => {
  test.each(COMMANDS)("%s", async (command) => {
    const help = await run([command, "--help"]);
    expect(help).toMatchObject({ status: 0, err: "" });
    expect(help.out).toContain(`Usage: stagedoor ${command}`);
    const version = await run([command, "--version"]);
    expect(version).toMatchObject({ status: 0, err: "" });
    expect(version.out).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test("the general help lists every command; an unknown one gets the nearest name", async () => {
    const help = await runAlone(["--help"]);
    for (const command of COMMANDS) expect(help.out).toContain(`\n  ${command} `);
    expect((await runAlone(["--version"])).out).toMatch(/^\d+\.\d+\.\d+( \(single file, Node [\d.]+\))?\n$/);
    const stranger = await runAlone(["strat"]);
    expect(stranger).toMatchObject({ status: 2, out: "" });
    expect(stranger.err).toContain("start");
    expect((await runAlone([])).status).toBe(2);
  });
});
