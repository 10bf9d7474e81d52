/** Tests that a state of a feature becomes what its manifest says, over HTTP: one call in the tests of each feature. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { StateRow } from "#features/manifest.ts";
import type { RunningServer } from "#server/server.ts";
import { type Call, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

/** How a test changes and reads a state. */
interface Ways {
  /** Brings it to something that it did not begin with. */
  change(at: { readonly control: Call; readonly auth: Call }, appId: string): Promise<unknown>;
  /** @param appId absent: of all apps. */
  read(at: { readonly control: Call }, appId?: string): Promise<unknown>;
}

const APP = "demo-app";

/** @param row of the manifest */
export const testState = (row: StateRow, { change, read }: Ways): void => {
  /** Runs in a server of its own, with the state as it began and as it was changed. */
  const within = async (
    use: (server: RunningServer, began: unknown, changed: unknown) => Promise<void>,
    config = {},
  ): Promise<void> => {
    const server = await startInProcess({ config });
    try {
      const at = clientsOf(() => server);
      const began = await read(at, APP);
      await change(at, APP);
      const changed = await read(at, APP);
      expect(changed).not.toEqual(began);
      await use(server, began, changed);
    } finally {
      await server.close();
    }
  };

  test(`${row.what}: a reset of the app, and of all: ${row.reset}`, () =>
    within(async (server, began, changed) => {
      const at = clientsOf(() => server);
      const expected = row.reset === "stays" ? changed : began;
      for (const path of [`/state?appId=${APP}`, "/state"]) {
        expect((await at.control("DELETE", path)).status).toBe(204);
        expect(await read(at, APP), path).toEqual(expected);
      }
    }));

  test(`${row.what}: a restored snapshot: ${row.snapshot}`, async () => {
    const server = await startInProcess();
    try {
      const at = clientsOf(() => server);
      const began = await read(at, APP);
      expect((await at.control("PUT", "/snapshots/before")).status).toBe(201);
      await change(at, APP);
      const changed = await read(at, APP);
      expect((await at.control("POST", "/snapshots/before/restore")).status).toBe(200);
      expect(await read(at, APP)).toEqual(row.snapshot === "stays" ? changed : began);
    } finally {
      await server.close();
    }
  });

  test(`${row.what}: an export, read by another Stagedoor: ${row.export}`, () =>
    within(async (server, began, changed) => {
      const state = (await clientsOf(() => server).control("GET", "/state?volatile=1")).json;
      const other = await startInProcess();
      try {
        const at = clientsOf(() => other);
        expect((await at.control("PUT", "/state", { mode: "replace", state })).status).toBe(200);
        expect(await read(at, APP)).toEqual(row.export === "none" ? began : changed);
      } finally {
        await other.close();
      }
    }));

  test(`${row.what}: the deletion of its app: ${row.end}`, () =>
    within(async (server, began, changed) => {
      const at = clientsOf(() => server);
      const all = await read(at);
      expect((await at.control("DELETE", `/apps/${APP}`)).status).toBe(204);
      if (row.end === "total") expect(await read(at)).toEqual(all);
      expect((await at.control("POST", "/apps", { appId: APP })).status).toBe(201);
      expect(await read(at, APP)).toEqual(row.end === "stays" ? changed : began);
    }));

  test(`${row.what}: a restart: ${row.restart}`, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "stagedoor-state-"));
    const config = { dataDir, durability: "process" as const };
    try {
      await within(async (first, began, changed) => {
        await first.close();
        const second = await startInProcess({ config });
        try {
          const expected = row.restart === "begins" ? began : changed;
          expect(
            await read(
              clientsOf(() => second),
              APP,
            ),
          ).toEqual(expected);
        } finally {
          await second.close();
        }
      }, config);
    } finally {
      await rm(dataDir, { recursive: true });
    }
  });
};
