/** Ports for servers that restart on the same one, or that need adjacent ones. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, "127.0.0.1");
  const listens = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (listens) await new Promise((resolve) => server.close(resolve));
  return listens;
};

/**
 * @param count of adjacent ports.
 * @returns the first of these free ports, below the range that the system assigns.
 */
export const freePort = async (count = 1): Promise<number> => {
  for (;;) {
    const port = randomInt(10_240, 32_768 - count);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(port + i)));
    if (!free.includes(false)) return port;
  }
};
