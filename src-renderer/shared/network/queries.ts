import { useQuery } from "@tanstack/react-query";
import { thenRead } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { query } from "../../api/queries.ts";
import type { TlsUrls } from "./targets.ts";

/** The state of auth on the local network. */
export const lanQuery = () => query(["lan"], ({ lan }) => lan.read());

/** The state of auth over TLS. */
export const tlsQuery = () => query(["tls"], ({ tls }) => tls.read());

/** The clients of auth, newest first. */
export const clientsQuery = () => query(["clients"], ({ clients }) => clients.list());

/** Whether every auth URL responds, as seen from the server's machine. */
export const reachQuery = () => query(["reach"], ({ connect }) => connect.check());

/** @returns the https URLs of auth; undefined until they are known. */
export const useTlsUrls = (): TlsUrls | undefined => useQuery(tlsQuery()).data;

/** Opens auth to the local network, or closes it. */
export const setLan = (open: boolean) =>
  thenRead(open ? emulator.lan.open() : emulator.lan.close(), "lan", "status", "tls");

/** Turns TLS on auth on or off. */
export const setTls = (on: boolean) => thenRead(on ? emulator.tls.on() : emulator.tls.off(), "tls", "lan");
