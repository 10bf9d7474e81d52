import { routes } from "#contract/routes.ts";
import type { NewFault } from "../../api/faults.ts";
import { quoted } from "../../ui/commands.ts";

/** @returns a line for a terminal that sets a fault. @param consoleUrl the console's address. */
export const faultCurl = (consoleUrl: string, { match, effect, times }: NewFault): string => {
  const body = {
    ...(match === undefined || Object.keys(match).length === 0 ? {} : { match }),
    effect,
    ...(times === undefined || times === null ? {} : { times }),
  };
  return `curl ${consoleUrl}${routes.addFault.path} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(JSON.stringify(body))}`;
};
