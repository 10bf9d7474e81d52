/** A failed start of the shell's server: the question asked, and the ways out. */
import { describe, expect, test, vi } from "vitest";
import { answers, app, BrowserWindow, questions } from "./electron-stand-in.ts";
import { child, soon, useShell } from "./shell.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));
// Created once, before modules are reset, so that the shell gets the stand-in imported here.
await import("electron");

const { launch } = useShell();

describe("a failed start", () => {
  const fail = async (
    status: number,
    line: { code: string; message: string; [more: string]: unknown },
  ): Promise<void> => {
    await launch();
    child().stderr.write(`recovered: a torn end\n${line.message}\n`);
    child().stdout.write(`${JSON.stringify({ event: "failed", ...line })}\n`);
    child().end(status);
    await soon(() => expect(questions).not.toEqual([]));
    expect(questions[0]).toMatchObject({ type: "error", message: "Stagedoor could not start", detail: line.message });
    expect(questions[0]?.buttons?.at(questions[0].cancelId ?? 0)).toBe("Quit");
  };
  const inUse = (consoleUrl: string | null) => ({
    code: "data_in_use",
    message: "/data is in use.",
    file: "/data/lock.json",
    holder: { pid: 7, consoleUrl },
  });
  const DAMAGED = { code: "data_damaged", message: "Not JSON.", file: "/data/journal-2.ndjson", offset: 12 };

  test.each([
    null,
    "http://evil.example:4099",
    "http://127.0.0.1:4099.evil.example",
    "http://127.0.0.1:1@evil.example:4099",
    "file:///etc/passwd",
  ])("with data in use: opens only this machine, not %s", async (consoleUrl) => {
    await fail(1, inUse(consoleUrl));
    expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
    expect(BrowserWindow.made).toEqual([]);
  });

  test("with a damaged document: offers the directory, since there is nothing to repair", async () => {
    answers.push("Quit");
    await fail(3, { ...DAMAGED, file: "/data/stagedoor.json" });
    expect(questions[0]?.buttons).toEqual(["Open Data Folder", "Try Again", "Quit"]);
  });

  test("for another reason: offers to retry or quit", async () => {
    answers.push("Quit");
    await fail(1, { code: "invalid_options", message: "The body limit must be a whole number." });
    expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
    await soon(() => expect(app.calls.at(-1)).toBe("quit"));
  });
});

test("without an error line: shows the last output", async () => {
  await launch();
  child().stderr.write("Out of memory.\n");
  child().end(9);
  await soon(() => expect(questions[0]?.detail).toBe("Out of memory."));
  expect(questions[0]?.buttons).toEqual(["Try Again", "Quit"]);
});
