/** Each system's program for opening a page, as a stand-in that notes its arguments. */
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { openBrowser } from "#server/plumbing/open-browser.ts";

const URL_WITH_AND = "http://127.0.0.1:4012/?a=1&b=2";

beforeEach(({ skip }) => skip(process.platform === "win32", "the stand-in is a shell script"));

/** Opens the address with a stand-in for the system's program. */
const openWith = (program: string, script: string, platform: NodeJS.Platform, failed: (line: string) => void): void => {
  const folder = mkdtempSync(join(tmpdir(), "stagedoor-opener-"));
  writeFileSync(join(folder, program), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, program), 0o755);
  vi.stubEnv("PATH", `${folder}${delimiter}${process.env["PATH"]}`);
  openBrowser(URL_WITH_AND, "shown", failed, platform);
  vi.unstubAllEnvs();
};

test.each<[NodeJS.Platform, string, string]>([
  ["linux", "xdg-open", URL_WITH_AND],
  ["darwin", "open", URL_WITH_AND],
  ["win32", "rundll32", `url.dll,FileProtocolHandler ${URL_WITH_AND}`],
])("on %s %s gets the address, and no shell reads it", async (platform, program, args) => {
  const noted = join(mkdtempSync(join(tmpdir(), "stagedoor-opened-")), "noted");
  openWith(program, `echo "$*" > "${noted}.tmp"; mv "${noted}.tmp" "${noted}"`, platform, () => undefined);
  await expect.poll(() => readFileSync(noted, "utf8")).toBe(`${args}\n`);
});

test("a program that fails is reported, with the address to open by hand", async () => {
  const failed: string[] = [];
  openWith("xdg-open", "exit 3", "linux", (line) => failed.push(line));
  await expect.poll(() => failed).toEqual(["xdg-open could not open shown (status 3)."]);
});
