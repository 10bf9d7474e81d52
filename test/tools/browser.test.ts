import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { describe, expect } from "vitest";
import { test } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";

test("opens a page in a browser of this machine", async ({ page }) => {
  await page.setContent("<h1>Stagedoor</h1>");
  expect(await page.getByRole("heading").textContent()).toBe("Stagedoor");
});

describe("searches for a browser", () => {
  const withFiles = async (names: readonly string[], check: (folder: string) => void): Promise<void> => {
    const folder = await mkdtemp(join(tmpdir(), "stagedoor-browser-"));
    for (const name of names) {
      await mkdir(join(folder, name, ".."), { recursive: true });
      await writeFile(join(folder, name), "");
    }
    check(folder);
    await rm(folder, { recursive: true });
  };

  test("at CHROME_PATH, if it is set", async () => {
    await withFiles(["mine", "chromium"], (folder) => {
      expect(findBrowser({ CHROME_PATH: join(folder, "mine"), PATH: folder }, "linux")).toBe(join(folder, "mine"));
      expect(findBrowser({ CHROME_PATH: join(folder, "absent"), PATH: folder }, "linux")).toBeUndefined();
    });
  });

  test("on the PATH on Linux", async () => {
    await withFiles(["google-chrome"], (folder) => {
      const PATH = ["/nowhere", folder].join(delimiter);
      expect(findBrowser({ PATH }, "linux")).toBe(join(folder, "google-chrome"));
    });
  });

  test("in the program folders on Windows", async () => {
    const inside = join("Google\\Chrome\\Application\\chrome.exe");
    await withFiles([inside], (folder) => {
      expect(findBrowser({ PROGRAMFILES: "/nowhere", LOCALAPPDATA: folder }, "win32")).toBe(join(folder, inside));
    });
  });
});
