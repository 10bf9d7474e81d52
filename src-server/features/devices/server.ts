/** The control API: auth on the local network and over TLS, and its clients. */
import { invalid } from "#contract/service/problems.ts";
import type { Setup } from "#features/kernel.ts";
import { ok, Refusal } from "#http/lookups/select.ts";
import { createHelloHandlers } from "./hello.ts";

/** @see the file */
export const setup: Setup<"devices"> = (kernel) => {
  const { clients, delivery, place } = kernel;
  const { network } = place;
  const publicUrls = () => {
    const { admin, auth, console } = place.urls();
    const listening = place.listening();
    const own = { admin: listening.admin, auth: listening.auth, console: listening.console };
    return ok({ urls: { admin, auth, console }, listening: own });
  };
  return {
    ...createHelloHandlers(kernel),
    readPublicUrls: publicUrls,
    setPublicUrls: ({ body }) => {
      const named = Object.entries(body);
      const wrong = named.filter(([, url]) => url !== null && !URL.canParse(url));
      if (wrong.length > 0) return invalid(Object.fromEntries(wrong.map(([name]) => [name, ["is not a URL"]])));
      place.publish(Object.fromEntries(named.map(([name, url]) => [name, url === null ? null : new URL(url).origin])));
      return publicUrls();
    },
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
      const { forwardPorts } = await import("./delivery/connect.ts");
      const problem = await forwardPorts(serial, ports, delivery.run);
      if (problem !== undefined) throw new Refusal(problem);
      return ok({ serial, ports });
    },
    simulatorTrust: async ({ body: { udid = null } }) => {
      const root = await network().makeRoot();
      const { trustInSimulators } = await import("./delivery/connect.ts");
      const trusted = await trustInSimulators(udid, root.pem, delivery.run);
      if ("problem" in trusted) throw new Refusal(trusted.problem);
      return ok({ udids: trusted.udids });
    },
  };
};
