/**
 * Whatever the order of actions, the emulator behaves like the reference. This is a short run; set STAGEDOOR_MODEL_RUNS
 * for a longer one.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { temporaryDir } from "#test/hosts/built.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { runs } from "#test/support/runs.ts";
import { type Real, sequences } from "./commands.ts";
import { Reference } from "./reference.ts";

const RUNS = Number(process.env["STAGEDOOR_MODEL_RUNS"] ?? runs(25));
const BEGIN_MS = Date.UTC(2026, 5, 1, 12);

test(
  `the emulator matches the reference in ${RUNS} random stories: sign up, send, try, expire, revoke, delete, restart`,
  async () => {
    const { dir, remove } = await temporaryDir();
    let nowMs = BEGIN_MS;
    const start = (): Promise<RunningServer> =>
      startInProcess({ config: { dataDir: dir, durability: "process" }, now: () => nowMs });
    let server = await start();
    const real: Real = {
      ...clientsOf(() => server),
      advance: (seconds) => {
        nowMs += seconds * 1000;
      },
      restart: async () => {
        await server.close();
        server = await start();
      },
    };
    try {
      await fc.assert(
        fc.asyncProperty(sequences(), async (commands) => {
          nowMs = BEGIN_MS;
          expect((await real.control("DELETE", "/state")).status).toBe(204);
          await fc.asyncModelRun(() => ({ model: new Reference(), real }), commands);
        }),
        { numRuns: RUNS },
      );
    } finally {
      await server.close();
      await remove();
    }
  },
  120_000 + RUNS * 2_000,
);
