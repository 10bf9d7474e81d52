/** A start that fails leaves nothing behind, so that the next one can use the same ports and the same data. */
import { existsSync } from "node:fs";
import { Server } from "node:net";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { startInProcess } from "#test/hosts/in-process.ts";
import { newDir } from "#test/store/support.ts";
import { freePort } from "#test/support/ports.ts";

/** All servers that were asked to listen during the test. */
const listened: Server[] = [];
afterEach(() => {
  for (const server of listened.splice(0)) if (server.listening) server.close();
});

const startOn = async (dataDir: string, consolePort: number) => {
  const listen = vi.spyOn(Server.prototype, "listen");
  const starting = startInProcess({ config: { dataDir, durability: "process", consolePort } });
  const failure = await starting.then(
    async (server) => await server.close(),
    (error: unknown) => error,
  );
  listened.push(...listen.mock.contexts.filter((server) => server instanceof Server));
  listen.mockRestore();
  return failure;
};

test("the listeners that did start are closed and the data directory is free again", async () => {
  // Not port 0: another process could get that port while nobody listens on it.
  const port = await freePort();
  const taken = await startInProcess({ config: { consolePort: port } });
  const dataDir = newDir();
  expect(await startOn(dataDir, port)).toMatchObject({
    message: expect.stringContaining(`Port ${port} is already in use`),
  });
  expect(listened.length).toBeGreaterThan(2);
  expect(listened.filter((server) => server.listening)).toEqual([]);
  expect(existsSync(join(dataDir, "lock.json"))).toBe(false);
  await taken.close();
  expect(await startOn(dataDir, port)).toBeUndefined();
});
