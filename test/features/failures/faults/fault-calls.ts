/** Helpers for the tests of faults. */
import { expect } from "vitest";
import type { Harness } from "#test/http/control/support.ts";

/** @returns the calls. */
export const faultCalls = ({ control }: Pick<Harness, "control">) => ({
  /** Adds a fault. @returns its id. */
  set: async (effect: object, match: object = {}, times: number | null = null): Promise<string> => {
    const made = await control("POST", "/faults", { match, effect, times });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    return made.json.id;
  },
  fault: async (id: string) => (await control("GET", `/faults/${id}`)).json,
});
