/** Which snapshot the console restores. */
import { expect, test } from "vitest";
import type { Snapshot } from "#client/index.ts";
import { isoInstantText } from "#contract/scalars.ts";
import { restoreTargetOf } from "../../../../src-renderer/places/setup/reset.ts";

const AT = isoInstantText.parse("2026-01-31T12:00:00.000Z");

test("the app's own snapshot is preferred to one of all apps with the same name", () => {
  const counts = { apps: 1, profiles: 0, passcodes: 0, sessions: 0, connections: 0 };
  const snapshot = (appId: string | null): Snapshot => ({
    name: "s",
    appId,
    seq: 1,
    createdAt: AT,
    counts,
    stored: true,
  });
  const [all, own] = [snapshot(null), snapshot("one")];
  expect(restoreTargetOf(all, "one", [all])).toEqual({ name: "s", appId: "one" });
  expect(restoreTargetOf(all, null, [all])).toEqual({ name: "s", appId: null });
  expect(restoreTargetOf(all, "one", [all, own])).toEqual({ name: "s", appId: null });
  expect(restoreTargetOf(own, null, [all, own])).toEqual({ name: "s", appId: "one" });
});
