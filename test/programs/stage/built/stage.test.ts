/** `stagedoor stage`: a separate Stagedoor for an audience, or the stage of a running one. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { clean, freshPath, PROGRAM, run, SCRIPT, send, start } from "#test/cli/support.ts";
import { afterFile } from "#test/support/cleanup.ts";

const profilesOf = async (consoleUrl: string) => {
  const { items } = await (await fetch(`${consoleUrl}/emulator/v1/profiles?appId=front-row`)).json();
  return items;
};

test("starts with six people, each with a scenario, and exits on Ctrl+C", async () => {
  const child = spawn(PROGRAM, [...SCRIPT, "stage", "--no-open", "--json"], {
    env: clean(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  afterFile(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout, "data");
  const { url, consoleUrl, ...more } = JSON.parse(String(line));
  expect(more).toEqual({ event: "ready", pid: child.pid, lanUrls: [] });
  expect(url).toBe(`${consoleUrl}/stage?appId=front-row`);
  expect((await fetch(url)).status).toBe(200);
  const people = await profilesOf(consoleUrl);
  const stories = people.map(({ metadata }: { metadata: { persona?: unknown } }) => metadata.persona);
  expect(new Set(stories).size).toBe(6);
  expect(stories).not.toContain(undefined);
  expect(people.map(({ scenario }: { scenario: unknown }) => scenario)).toEqual([
    null,
    null,
    "slow",
    "noDelivery",
    "expiredCodes",
    "locked",
  ]);
  child.kill("SIGINT");
  expect((await ended)[0]).toBe(0);
});

test("--url adds missing people, and leaves existing data alone", async () => {
  const server = await start(["--ephemeral"]);
  const { consoleUrl } = server.ready;
  const api = `${consoleUrl}/emulator/v1`;
  const join = (...more: string[]) => run(["stage", "--url", consoleUrl, "--no-open", ...more]);
  const demo = async () => await (await fetch(`${api}/state?appId=demo-app`)).text();
  const before = await demo();
  const first = await join();
  expect(first).toMatchObject({ status: 0, err: "" });
  expect(first.out).toContain(`Stage     ${consoleUrl}/stage?appId=front-row\n`);
  const [maya, layla] = await profilesOf(consoleUrl);
  await send("PATCH", `${api}/profiles/${maya.userId}`, { name: "Maya Lopez" });
  await send("DELETE", `${api}/profiles/${layla.userId}`);
  const { url } = JSON.parse((await join("--json", "--play")).out);
  expect(url).toBe(`${consoleUrl}/stage?appId=front-row&play=1`);
  const after = await profilesOf(consoleUrl);
  expect(after).toHaveLength(6);
  expect(after[0]).toMatchObject({ userId: maya.userId, name: "Maya Lopez" });
  expect(after[5]).toMatchObject({ phone: layla.phone, name: layla.name });
  expect(await demo()).toBe(before);

  const file = freshPath("wrong.json");
  await writeFile(file, '{"apps":[{"appId":"wrong","profiles":[{"phone":"1"}]}]}');
  const wrong = await join("--fixtures", file);
  expect(wrong).toMatchObject({ status: 1, out: "" });
  expect(wrong.err).toContain(`${file}:1:48: apps[0].profiles[0].phone: `);
  expect((await fetch(`${api}/apps/wrong`)).status).toBe(404);
  await server.stop();
});
