/**
 * What became of a passcode on the way to devices, in words.
 */
import type { DeviceItem } from "#contract/devices.ts";

const KIND = { android: "Android", ios: "iOS" } as const;

/** @returns one line: which device, and what was sent to it or why not. */
export const deviceWords = ({ kind, id, name, status, detail }: DeviceItem): string => {
  const device = [KIND[kind], name ?? id].filter((word) => word !== null).join(" · ");
  return `${device}: ${status === "failed" ? "not delivered. " : ""}${detail}.`;
};
