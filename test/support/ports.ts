/** Ports for servers that come back on the one they had, or that stand side by side. */
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
 * @param count so many in a row.
 * @returns the first of ports that are free, and that the system gives to nobody who asks for any: below those that it hands out.
 */
export const freePort = async (count = 1): Promise<number> => {
  for (;;) {
    const port = randomInt(10_240, 32_768 - count);
    const free = await Promise.all(Array.from({ length: count }, (_, i) => isFree(port + i)));
    if (!free.includes(false)) return port;
  }
};
