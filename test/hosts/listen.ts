/** Servers of a test's own. */
import { once } from "node:events";
import type { AddressInfo, Server } from "node:net";

/** Lets it listen on a free port. @returns the port. */
export const listen = async (server: Server, host = "127.0.0.1"): Promise<number> => {
  await once(server.listen(0, host), "listening");
  // It listens on an address and a port.
  return (server.address() as AddressInfo).port;
};
