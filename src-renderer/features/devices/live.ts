/** Auth on devices in the UI. */
import type { Hears } from "../../api/hears.ts";

/** @see the file */
export const devicesLive: Hears = {
  hear: ({ type }) =>
    type === "lan.put" ? ["status", "lan", "tls", "reach"] : type === "client.put" ? ["clients"] : [],
  besideData: ["lan.put", "client.put"],
};
