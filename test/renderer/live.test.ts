import { beforeEach, describe, expect, test } from "vitest";
import type { StagedoorEvent } from "#client/index.ts";
import { cache } from "../../src-renderer/api/cache.ts";
import { applyEvents } from "../../src-renderer/api/live.ts";
import { PROFILE } from "./records.ts";

const KEY = ["profile", "demo-app", "ada"];
const GONE: StagedoorEvent = { type: "profile.remove", appId: "demo-app", seq: 1, item: { userId: "ada" } };
const isOutdated = (key: readonly (string | null)[]): boolean | undefined => cache.getQueryState(key)?.isInvalidated;

beforeEach(() => cache.clear());

test("a profile that only an event has brought is kept for a minute", () => {
  const item = { ...PROFILE, userId: "ada" };
  applyEvents([{ type: "profile.put", appId: "demo-app", seq: 1, item }]);
  expect(cache.getQueryCache().find({ queryKey: KEY })?.gcTime).toBe(60_000);
});

describe("a removed profile", () => {
  test("disappears without a request; the names of others are not fetched again", async () => {
    const other = ["profile", "demo-app", "grace"];
    const anywhere = ["profile", null, "ada"];
    for (const key of [KEY, other, anywhere]) cache.setQueryData(key, { name: "Somebody" });
    applyEvents([GONE]);
    expect(cache.getQueryData(KEY)).toBe(null);
    await expect.poll(() => isOutdated(anywhere)).toBe(true);
    expect([KEY, other].map(isOutdated)).toEqual([false, false]);
  });

  test("is fetched once more when an earlier request is pending", async () => {
    let answer = (_: object): void => undefined;
    const read = cache.fetchQuery({
      queryKey: KEY,
      queryFn: () =>
        new Promise<object>((resolve) => {
          answer = resolve;
        }),
    });
    applyEvents([GONE]);
    answer({ name: "Ada" });
    await read;
    await expect.poll(() => isOutdated(KEY)).toBe(true);
  });

  test("that is not shown is not cached", () => {
    applyEvents([GONE]);
    expect(cache.getQueryState(KEY)).toBe(undefined);
  });
});
