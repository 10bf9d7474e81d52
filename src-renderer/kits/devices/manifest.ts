/** Auth on devices in the UI (CONTRACT 9). */
import type { UiManifest } from "../manifest.ts";

/** @see the file */
export const manifest: UiManifest = {
  hear: ({ type }) =>
    type === "lan.put" ? ["status", "lan", "tls", "reach"] : type === "client.put" ? ["clients"] : [],
  besideData: ["lan.put", "client.put"],
};
