import { thenRead } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";

/** Opens auth to the local network, or closes it. */
export const setLan = (open: boolean) =>
  thenRead(open ? emulator.lan.open() : emulator.lan.close(), "lan", "status", "tls");

/** Turns TLS on auth on or off. */
export const setTls = (on: boolean) => thenRead(on ? emulator.tls.on() : emulator.tls.off(), "tls", "lan");
