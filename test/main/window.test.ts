/** A window whose page is in trouble: it fails to load, crashes, or does not respond. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openWindow } from "../../src-main/window.ts";
import { answers, BrowserWindow, questions, renew } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const URL = "http://127.0.0.1:4012/?access_token=t";
beforeEach(() => {
  renew("/data");
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const open = (): BrowserWindow => {
  openWindow(URL);
  const [window] = BrowserWindow.made;
  if (window === undefined) throw new Error("no window");
  return window;
};
const gone = (window: BrowserWindow, reason: string): unknown =>
  window.webContents.emit("render-process-gone", {}, { reason, exitCode: 1 });

test.each(["crashed", "oom", "killed", "launch-failed", "abnormal-exit"])(
  "a page whose process is gone (%s) is reloaded after a second",
  async (reason) => {
    const window = open();
    gone(window, reason);
    expect(window.loaded).toEqual([URL]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(window.loaded).toEqual([URL, URL]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(window.loaded).toHaveLength(2);
  },
);

test("a page that exited normally, and a closed window, are left alone", async () => {
  const window = open();
  gone(window, "clean-exit");
  gone(window, "crashed");
  window.destroyed = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(window.loaded).toEqual([URL]);
});

test("an unresponsive page can be reloaded by the user", async () => {
  const window = open();
  answers.push("Reload");
  window.emit("unresponsive");
  expect(questions[0]).toMatchObject({ message: "The page does not respond.", buttons: ["Reload", "Wait"] });
  expect(window.webContents.crashes).toBe(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(window.loaded).toEqual([URL, URL]);
});

test.each(["Wait", undefined])("an unresponsive page is left alone if the user chooses %s", async (answer) => {
  const window = open();
  if (answer !== undefined) answers.push(answer);
  window.emit("unresponsive");
  await vi.advanceTimersByTimeAsync(5_000);
  expect([window.webContents.crashes, window.loaded]).toEqual([0, [URL]]);
});

const failed = (window: BrowserWindow, code: number, url: string, isMainFrame = true): unknown =>
  window.webContents.emit("did-fail-load", {}, code, "", url, isMainFrame);

test("a page that is left while it loads is not an error, and neither is a frame's", async () => {
  const window = open();
  failed(window, -3, "http://127.0.0.1:4012/sessions");
  failed(window, -102, "http://127.0.0.1:4011/emulator/demo/", false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(window.loaded).toEqual([URL]);
});

test("a page whose process is gone comes back where it was", async () => {
  const window = open();
  window.webContents.emit("did-navigate", {}, "http://127.0.0.1:4012/sessions");
  window.webContents.emit("did-navigate-in-page", {}, "http://127.0.0.1:4012/profiles?q=ada", true);
  window.webContents.emit("did-navigate-in-page", {}, "http://127.0.0.1:4012/emulator/demo/", false);
  window.webContents.emit("did-navigate", {}, "data:text/html,hi");
  gone(window, "crashed");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(window.loaded.at(-1)).toBe("http://127.0.0.1:4012/profiles?q=ada");
});

test("while the server does not respond, the window says so; then the same page comes back", async () => {
  const answer = vi.fn<typeof fetch>().mockRejectedValue(new Error("refused"));
  vi.stubGlobal("fetch", answer);
  const window = open();
  window.webContents.emit("did-navigate", {}, "http://127.0.0.1:4012/sessions");
  failed(window, -102, "http://127.0.0.1:4012/profiles");
  expect(decodeURIComponent(window.loaded.at(-1) ?? "")).toMatch(/^data:.*<title>Stagedoor<.*does not respond/);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(answer).toHaveBeenCalledTimes(5);
  // The user tries another page meanwhile.
  failed(window, -102, "http://127.0.0.1:4012/sessions");
  answer.mockResolvedValue(new Response());
  await vi.advanceTimersByTimeAsync(60_000);
  expect(answer).toHaveBeenCalledTimes(6);
  expect(window.loaded.at(-1)).toBe("http://127.0.0.1:4012/sessions");
  vi.unstubAllGlobals();
});
