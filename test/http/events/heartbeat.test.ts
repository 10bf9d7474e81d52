import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startInProcess } from "#test/hosts/in-process.ts";
import { until } from "#test/http/control/support.ts";
import { openEvents } from "./event-stream.ts";

const PROMISED_MS = 15_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("an idle stream gets a comment every 15 seconds", async () => {
  const server = await startInProcess();
  const stream = await openEvents(server.urls.console);
  const comments = (): number => stream.text().match(/^: still here$/gm)?.length ?? 0;
  vi.advanceTimersByTime(PROMISED_MS - 1);
  // Once this change has arrived, so has everything before it.
  await fetch(`${server.urls.console}/emulator/v1/apps`, { method: "POST" });
  await stream.next(({ type }) => type === "app.put");
  expect(comments()).toBe(0);
  for (const count of [1, 2]) {
    vi.advanceTimersByTime(PROMISED_MS);
    await until(comments, (found) => found === count);
  }
  stream.close();
  await server.close();
});
