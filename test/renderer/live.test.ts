import { QueryClient } from "@tanstack/react-query";
import { describe, expect, test } from "vitest";
import type { EventData } from "#contract/events.ts";
import { applyEvents } from "../../src-renderer/api/live.ts";

const KEY = ["profile", "demo-app", "ada"];
const GONE: EventData = { type: "profile.remove", appId: "demo-app", seq: 1, item: { userId: "ada" } };
const isOutdated = (client: QueryClient, key: readonly (string | null)[]): boolean | undefined =>
  client.getQueryState(key)?.isInvalidated;

describe("a profile that is removed", () => {
  test("is gone without asking for it; what others are called is not read again", () => {
    const client = new QueryClient();
    const other = ["profile", "demo-app", "grace"];
    const anywhere = ["profile", null, "ada"];
    for (const key of [KEY, other, anywhere]) client.setQueryData(key, { name: "Somebody" });
    applyEvents(client, [GONE], () => {});
    expect(client.getQueryData(KEY)).toBe(null);
    expect([KEY, other, anywhere].map((key) => isOutdated(client, key))).toEqual([false, false, true]);
  });

  test("is asked for once more when an answer from before is under way", async () => {
    const client = new QueryClient();
    let answer = (_: object): void => {};
    const read = client.fetchQuery({
      queryKey: KEY,
      queryFn: () =>
        new Promise<object>((resolve) => {
          answer = resolve;
        }),
    });
    applyEvents(client, [GONE], () => {});
    answer({ name: "Ada" });
    await read;
    await expect.poll(() => isOutdated(client, KEY)).toBe(true);
  });

  test("that nobody looks at is not kept", () => {
    const client = new QueryClient();
    applyEvents(client, [GONE], () => {});
    expect(client.getQueryState(KEY)).toBe(undefined);
  });
});
