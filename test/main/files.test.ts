/** Files that the user opens: which of a launch's arguments they are, and how they reach the page. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BrowserWindow as RealWindow } from "electron";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { chooseFiles, filesIn, openFiles } from "../../src-main/files.ts";
import { answers, BrowserWindow, renew } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const scripts = (): readonly string[] => BrowserWindow.made.flatMap(({ webContents }) => webContents.scripts);
let folder = "";
let window: RealWindow;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "stagedoor-files-"));
  await writeFile(join(folder, "users.csv"), "name\nJosé\n");
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(() => {
  renew("/data");
  window = new RealWindow({});
});

test("paths, and file: URIs as Linux's file managers give them", () => {
  const here = resolve("/home/ada");
  const far = resolve("/tmp/Jörgs Äpps/100% my team.stagedoor.json");
  expect(filesIn(["electron", ".", "a.stagedoor", "Б.CSV", "team.jsonc", "picture.png"], here)).toEqual([
    join(here, "a.stagedoor"),
    join(here, "Б.CSV"),
    join(here, "team.jsonc"),
  ]);
  expect(filesIn([pathToFileURL(far).href, pathToFileURL(far).href.replace("file:", "FILE:")], here)).toEqual([
    far,
    far,
  ]);
  for (const other of ["--a.json", "stagedoor://x.json", "file:///a/%2Fb.csv", "file:///a.sh"])
    expect(filesIn([other], here), other).toEqual([]);
});

test("a chosen file is dropped on the page, byte by byte; nothing without one", async () => {
  await chooseFiles("", window);
  expect(scripts()).toEqual([]);
  answers.push(join(folder, "users.csv"));
  await chooseFiles("", window);
  expect(scripts()).toEqual([expect.stringContaining(JSON.stringify([["users.csv", btoa("name\nJos\xc3\xa9\n")]]))]);
});

test("an error names its file, and the other files are taken", async () => {
  const paths = [join(folder, "gone.csv"), join(folder, "users.csv")];
  await expect(openFiles(window, paths)).rejects.toThrow(/^gone\.csv cannot be opened: ENOENT/);
  expect(scripts()).toHaveLength(1);
});
