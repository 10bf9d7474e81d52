/** Codes on the emulators and simulators of this machine, for apps that have opted in. The setting is the kernel's. */

/** @see the file */
export const manifest = {
  title: "Delivery: codes on emulators and simulators",
  page: "delivery.md",
} as const;
