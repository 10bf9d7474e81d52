import { beforeEach, describe, expect, test } from "vitest";
import type { StagedoorEvent } from "#client/index.ts";
import { cache } from "../../src-renderer/api/cache.ts";
import { applyEvents } from "../../src-renderer/api/live.ts";

const KEY = ["profile", "demo-app", "ada"];
const GONE: StagedoorEvent = { type: "profile.remove", appId: "demo-app", seq: 1, item: { userId: "ada" } };
const isOutdated = (key: readonly (string | null)[]): boolean | undefined => cache.getQueryState(key)?.isInvalidated;

beforeEach(() => cache.clear());

describe("a profile that is removed", () => {
  test("is gone without asking for it; what others are called is not read again", async () => {
    const other = ["profile", "demo-app", "grace"];
    const anywhere = ["profile", null, "ada"];
    for (const key of [KEY, other, anywhere]) cache.setQueryData(key, { name: "Somebody" });
    applyEvents([GONE]);
    expect(cache.getQueryData(KEY)).toBe(null);
    await expect.poll(() => isOutdated(anywhere)).toBe(true);
    expect([KEY, other].map(isOutdated)).toEqual([false, false]);
  });

  test("is asked for once more when an answer from before is under way", async () => {
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

  test("that nobody looks at is not kept", () => {
    applyEvents([GONE]);
    expect(cache.getQueryState(KEY)).toBe(undefined);
  });
});
