/** Time limits come, and interruptions arrive, whatever the garbage collector does meanwhile. */
import { describe, expect, test } from "vitest";
import { createPrograms } from "#features/devices/delivery/programs.ts";
import { collectGarbage } from "#test/support/garbage.ts";

const LIMIT_MS = 200;
const LONG_MS = 600_000;

describe("a program that hangs", () => {
  const HANGING = { program: process.execPath, args: ["-e", "setInterval(() => {}, 1000)"] };

  test("is killed after the limit, or when the server stops", async () => {
    const slow = createPrograms({ timeoutMs: LIMIT_MS }).run(HANGING);
    const programs = createPrograms({ timeoutMs: LONG_MS });
    const stopped = programs.run(HANGING);
    await collectGarbage();
    expect(await slow).toEqual({ how: "too slow" });
    programs.stop();
    expect(await stopped).toEqual({ how: "stopped" });
  });
});
