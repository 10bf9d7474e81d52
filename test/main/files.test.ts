/** Fixture files that the user opens: which of a launch's arguments they are, and how they are imported. */
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { BrowserWindow as RealWindow } from "electron";
import { beforeEach, expect, test, vi } from "vitest";
import { fixtureFiles, importFiles, importState } from "../../src-main/files.ts";
import { answers, BrowserWindow, forked, parents, questions, renew } from "./electron-stand-in.ts";
import { child, soon } from "./shell.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const CONSOLE = "http://127.0.0.1:4012/?access_token=t";
let window: RealWindow;

beforeEach(() => {
  renew("/data");
  window = new RealWindow({});
});

/** Ends the newest import. */
const end = async (count: number, status: number, words = ""): Promise<void> => {
  await soon(() => expect(forked).toHaveLength(count));
  child().stderr.write(words);
  child().end(status);
};

test("paths, and file: URIs as Linux's file managers give them", () => {
  const folder = resolve("/home/ada");
  const far = resolve("/tmp/Jörgs Äpps/100% my team.stagedoor.json");
  expect(fixtureFiles(["electron", ".", "a.stagedoor", "Б.STAGEDOOR.JSON", "other.json"], folder)).toEqual([
    join(folder, "a.stagedoor"),
    join(folder, "Б.STAGEDOOR.JSON"),
  ]);
  expect(fixtureFiles([pathToFileURL(far).href, pathToFileURL(far).href.replace("file:", "FILE:")], folder)).toEqual([
    far,
    far,
  ]);
  for (const other of ["--a.stagedoor", "stagedoor://x.stagedoor", "file:///a/%2Fb.stagedoor", "file:///a.json"])
    expect(fixtureFiles([other], folder), other).toEqual([]);
});

test.each([
  ["Merge", []],
  ["Replace", ["--replace"]],
])("are imported as `stagedoor seed` does: %s", async (label, options) => {
  answers.push("/a/state.json", label);
  const imported = importState(CONSOLE, window);
  await end(1, 0);
  await imported;
  expect(child().args).toEqual(["seed", ...options, "--", "/a/state.json"]);
  const env = { STAGEDOOR_CONSOLE_URL: "http://127.0.0.1:4012", STAGEDOOR_ACCESS_TOKEN: "t" };
  expect(child().options.env).toMatchObject(env);
  expect([questions[0]?.message, parents]).toEqual([
    "Merge state.json into the current data, or replace everything?",
    BrowserWindow.made,
  ]);
});

test("nothing is imported without a file, or after Cancel", async () => {
  await importState(CONSOLE, window);
  expect(questions).toEqual([]);
  answers.push("/a/state.json", "Cancel");
  await importState(CONSOLE, window);
  expect(forked).toEqual([]);
});

test("an error names its file, without what to type, and the other files are imported", async () => {
  answers.push("Merge", "Merge", "Cancel");
  const imported = importFiles(CONSOLE, window, ["/a/first.stagedoor", "/a/second.stagedoor", "/a/third.stagedoor"]);
  const failed = expect(imported).rejects.toThrow(
    /^first\.stagedoor was not imported\.\n\/a\/first\.stagedoor:3:7: Expected a value\.$/,
  );
  await end(1, 1, "/a/first.stagedoor:3:7: Expected a value. Run `stagedoor seed --help`.");
  await end(2, 0);
  await failed;
  expect(child().args.at(-1)).toBe("/a/second.stagedoor");
  expect(questions).toHaveLength(3);
});
