/**
 * The sample app as its tests start it: built once, then served for any app of Stagedoor, each on a port of its own.
 */
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readPages } from "../backend/pages.mjs";
import type { Service } from "../backend/profiles.mjs";
import { createBackend } from "../backend/server.mjs";

/** Builds the page into a temporary folder. @returns the folder, and how to remove it. */
export const buildSite = async (): Promise<{ readonly folder: string; remove(): Promise<void> }> => {
  // Workers get the folder, and do not need the tool.
  const { build } = await import("vite");
  const folder = await mkdtemp(join(tmpdir(), "front-row-"));
  const root = fileURLToPath(new URL("..", import.meta.url));
  await build({ root, configFile: false, logLevel: "warn", build: { outDir: folder, emptyOutDir: true } });
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
};

/** A running sample app. */
export interface Site {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves a built page and its backend on a free port. */
export const openSite = async (folder: string, service: Service): Promise<Site> => {
  const server = createBackend(service, await readPages(folder));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: async () => {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
