import { beforeEach, expect, test, vi } from "vitest";
import { attach, givenConsoleUrl, startServer } from "../../src-main/server-process.ts";
import { forked, type UtilityProcessStandIn } from "./electron-stand-in.ts";

vi.mock("electron", () => import("./electron-stand-in.ts"));

const READY = {
  event: "ready",
  pid: 7,
  adminUrl: "http://127.0.0.1:1",
  authUrl: "http://127.0.0.1:2",
  consoleUrl: "http://127.0.0.1:3",
  dataDir: "/data",
};

beforeEach(() => {
  forked.length = 0;
});

const child = (): UtilityProcessStandIn => {
  const [first] = forked;
  if (first === undefined) throw new Error("nothing was forked");
  return first;
};

test("the built server is forked, and is up with its ready line, however the line arrives", async () => {
  const starting = startServer();
  expect(child().modulePath).toMatch(/[\\/]server[\\/]cli\.js$/);
  expect(child().args).toEqual(["start", "--headless", "--json"]);
  expect(child().options.stdio).toBe("pipe");
  const line = `a line of another kind\n${JSON.stringify(READY)}\n`;
  child().stdout.write(line.slice(0, 40));
  child().stdout.write(line.slice(40));
  const server = await starting;
  expect(server.consoleUrl).toBe(READY.consoleUrl);
  server.stop();
  expect(child().kills).toBe(1);
  child().emit("exit", 0);
  expect(await server.ended).toBe(0);
});

test("a server that ends before it is up is reported in its own words", async () => {
  const starting = startServer();
  child().stderr.write("Port 4010 is in use: choose another with --admin-port.\n");
  await new Promise((resolve) => setImmediate(resolve));
  child().emit("exit", 1);
  await expect(starting).rejects.toThrow("Port 4010 is in use: choose another with --admin-port.");
});

test("a server that ends without a word is reported by its status", async () => {
  const starting = startServer();
  child().emit("exit", 3);
  await expect(starting).rejects.toThrow("The server ended with status 3.");
});

test("a server that we attached to is not ours to end", () => {
  attach("http://127.0.0.1:3").stop();
  expect(forked).toEqual([]);
});

test("the console's URL is taken from the arguments; the last one counts, and only http", () => {
  expect(givenConsoleUrl(["electron", "."])).toBeUndefined();
  expect(givenConsoleUrl(["--console-url=http://a:1", "--console-url=http://b:2"])).toBe("http://b:2");
  expect(givenConsoleUrl(["--console-url=file:///etc/passwd"])).toBeUndefined();
  expect(givenConsoleUrl(["--console-url=nonsense"])).toBeUndefined();
});
