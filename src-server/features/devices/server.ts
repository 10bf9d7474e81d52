/** The control API: auth on the local network and over TLS, and its clients (CONTRACT 9). */
import type { Setup } from "#http/kits.ts";
import { done, ok, Refusal } from "#http/select.ts";
import { createDelivery } from "./delivery/in-use.ts";
import { createHelloHandlers } from "./hello.ts";

/** @see the file */
export const setup: Setup<"devices"> = (kernel) => {
  const { clients, once, place } = kernel;
  const { network } = place;
  return {
    ...createHelloHandlers(kernel),
    readLan: () => ok(network().lan()),
    setLan: async ({ body }) => {
      await network().setLan(body.open);
      return ok(network().lan());
    },
    readTls: async () => ok(await network().tls()),
    setTls: async ({ body }) => {
      await network().setTls(body.on);
      return ok(await network().tls());
    },
    renewCa: async () => {
      await network().renewCa();
      return done;
    },
    listClients: () => {
      const items = clients.list();
      return ok({ items, total: items.length });
    },
    checkReach: async () => {
      const items = await network().reach();
      return ok({ items, total: items.length });
    },
    adbReverse: async ({ body: { serial = null } }) => {
      const { http, tls } = network().ports();
      const ports = tls === null ? [http] : [http, tls];
      const problem = await once(createDelivery).forwardPorts(serial, ports);
      if (problem !== undefined) throw new Refusal(problem);
      return ok({ serial, ports });
    },
    simulatorTrust: async ({ body: { udid = null } }) => {
      const root = await network().makeRoot();
      const trusted = await once(createDelivery).trust(udid, root.pem);
      if ("problem" in trusted) throw new Refusal(trusted.problem);
      return ok({ udids: trusted.udids });
    },
  };
};
