import { beforeEach, expect, test, vi } from "vitest";
import { fork, givenConsoleUrl } from "../../src-main/server-process.ts";
import { forked, renew, type UtilityProcessStandIn } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const READY = {
  event: "ready",
  pid: 7,
  adminUrl: "http://127.0.0.1:1",
  authUrl: "http://127.0.0.1:2",
  consoleUrl: "http://127.0.0.1:3",
  dataDir: "/data",
};

beforeEach(() => renew("/data"));

const child = (): UtilityProcessStandIn => {
  const [first] = forked;
  if (first === undefined) throw new Error("nothing was forked");
  return first;
};

test("forks the built command line, and is up with its ready line, however that is split", async () => {
  const server = fork(["start", "--json"]);
  expect(child().modulePath).toMatch(/[\\/]command\.js$/);
  expect(child().args).toEqual(["start", "--json"]);
  expect(child().options.stdio).toBe("pipe");
  const line = `a line of another kind\n${JSON.stringify(READY)}\n`;
  child().stdout.write(line.slice(0, 40));
  child().stdout.write(line.slice(40));
  expect(await server.consoleUrl).toBe(READY.consoleUrl);
  const stopped = server.stop();
  expect(child().kills).toBe(1);
  child().end(0);
  await stopped;
  expect(await server.ended).toMatchObject({ status: 0 });
});

test("reports an end with the last output, even if that arrives later", async () => {
  const server = fork(["start"]);
  child().stderr.write("Port 4010 is ");
  child().end(1);
  await Promise.resolve();
  child().stderr.write("in use. Choose another with --admin-port, or run `stagedoor doctor`.\n");
  // Without what to type: the window has buttons.
  expect(await server.ended).toEqual({ status: 1, words: "Port 4010 is in use." });
  expect(await server.consoleUrl).toBeUndefined();
});

test("keeps only the last words of a process with much output", async () => {
  const server = fork(["start"]);
  for (let line = 0; line < 1000; line++) {
    child().stderr.write(`line ${line}\n`);
    if (line % 100 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  child().end(1);
  const { words } = await server.ended;
  expect(words).toMatch(/line 999$/);
  expect(words.length).toBeLessThanOrEqual(4000);
});

test("takes the console's URL from the arguments; the last one counts, and only http", () => {
  expect(givenConsoleUrl(["electron", "."])).toBeUndefined();
  expect(givenConsoleUrl(["--console-url=http://a:1", "--console-url=http://b:2"])).toBe("http://b:2");
  expect(givenConsoleUrl(["--console-url=file:///etc/passwd"])).toBeUndefined();
  expect(givenConsoleUrl(["--console-url=nonsense"])).toBeUndefined();
});
