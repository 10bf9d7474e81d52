import { readFile } from "node:fs/promises";

/** @returns the permissions that a page can request, as listed by the installed Electron. */
export const electronPermissions = async (): Promise<string[]> => {
  const types = await readFile(new URL("../../node_modules/electron/electron.d.ts", import.meta.url), "utf8");
  const union = /setPermissionRequestHandler\(handler: .*?permission: ((?:'[^']+' \| )+'[^']+')/.exec(types)?.[1] ?? "";
  return union.split(" | ").map((name) => name.slice(1, -1));
};
