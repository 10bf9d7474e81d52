/** `stagedoor stage`: a separate Stagedoor for an audience, or the page of a running one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clean, freshPath, PROGRAM, run, SCRIPT, send, start } from "#test/cli/support.ts";
import { afterFile } from "#test/support/cleanup.ts";

test("starts with the demo users, and exits on Ctrl+C", async () => {
  const child = spawn(PROGRAM, [...SCRIPT, "stage", "--no-open", "--json"], {
    env: clean(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  afterFile(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const { url, consoleUrl, ...more } = JSON.parse(String(line));
  expect(more).toEqual({ event: "ready", pid: child.pid, lanUrls: [] });
  expect(url).toBe(`${consoleUrl}/stage?appId=demo-app`);
  expect((await fetch(url)).status).toBe(200);
  expect((await (await fetch(`${consoleUrl}/emulator/v1/profiles?appId=demo-app`)).json()).items[0].name).toBe(
    "Ada Lovelace",
  );
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
});

test("--url changes nothing; with --fixtures it adds missing users, and leaves existing data alone", async () => {
  const server = await start(["--ephemeral"]);
  const { consoleUrl } = server.ready;
  const api = `${consoleUrl}/emulator/v1`;
  const join = (...more: string[]) => run(["stage", "--url", consoleUrl, "--no-open", ...more]);
  const read = async (path: string) => await (await fetch(`${api}${path}`)).json();
  const before = await read("/state");
  const first = await join();
  expect(first).toMatchObject({ status: 0, err: "" });
  expect(first.out).toContain(`Stage     ${consoleUrl}/stage\n`);
  expect(await read("/state")).toEqual(before);

  const file = freshPath("show.json");
  const profiles = [
    { phone: "+12025550141", name: "Maya" },
    { phone: "+12025550142", name: "Layla" },
  ];
  await writeFile(file, JSON.stringify({ apps: [{ appId: "show", profiles }] }));
  const { url } = JSON.parse((await join("--fixtures", file, "--json")).out);
  expect(url).toBe(`${consoleUrl}/stage?appId=show`);
  const [maya, layla] = (await read("/profiles?appId=show")).items;
  await send("PATCH", `${api}/profiles/${maya.userId}`, { name: "Maya Lopez" });
  await send("DELETE", `${api}/profiles/${layla.userId}`);
  await join("--fixtures", file);
  expect((await read("/profiles?appId=show")).items).toMatchObject([
    { userId: maya.userId, name: "Maya Lopez" },
    { phone: layla.phone, name: "Layla" },
  ]);

  const wrongFile = freshPath("wrong.json");
  await writeFile(wrongFile, '{"apps":[{"appId":"wrong","profiles":[{"phone":"1"}]}]}');
  const wrong = await join("--fixtures", wrongFile);
  expect(wrong).toMatchObject({ status: 1, out: "" });
  expect(wrong.err).toContain(`${wrongFile}:1:48: apps[0].profiles[0].phone: `);
  expect((await fetch(`${api}/apps/wrong`)).status).toBe(404);
  await server.stop();
});

test.each([["--play"], ["--rehearse"], ["--size", "1280x720"]])(
  "%s was removed, and says what to do",
  async (...given) => {
    const { status, out, err } = await run(["stage", "--no-open", ...given]);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^error: option '--\w+.*' was removed: [a-z]/);
    expect((await run(["stage", "--help"])).out).not.toContain(given[0]);
  },
);
