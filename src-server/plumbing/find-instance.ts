/** Which running Stagedoor a command means: as the client finds it, with options, and the place of each for errors. */
import fs from "node:fs";
import path from "node:path";
import { consoleOf } from "#client/instance.ts";
import { type Environment, environment, type Host } from "#server/config.ts";
import { CommandError } from "./io.ts";
import { configWithFile } from "./options.ts";

/** Which running emulator. `accessToken` of its console; absent: STAGEDOOR_ACCESS_TOKEN, if set. */
export interface Whereabouts {
  readonly url?: string | undefined;
  readonly data?: string | undefined;
  readonly accessToken?: string | undefined;
}

/** A console URL, and how it was found, for errors. */
type Found = readonly [consoleUrl: string, from: string];

/** Finds the instance of a command. With a configuration file it is the one that the file describes, or none. */
export const findInstance = (where: Whereabouts, env: Environment = environment(), at?: Host): Found => {
  if (where.url !== undefined) return [where.url, "--url"];
  if (env["STAGEDOOR_CONSOLE_URL"]) return [env["STAGEDOOR_CONSOLE_URL"], "STAGEDOOR_CONSOLE_URL"];
  const { config, file } = configWithFile({ data: where.data }, env, at);
  const { dataDir, consolePort } = config;
  const hasData = where.data !== undefined || Boolean(env["STAGEDOOR_DATA"]) || file.options["data"] !== undefined;
  const hasPort = consolePort !== 0 && file.options["consolePort"] !== undefined;
  const found = consoleOf({ fs, path }, { dataDir, hasData, consolePort, hasPort });
  if (found?.isHeld === true) return [found.url, path.join(dataDir, "lock.json")];
  if (found !== undefined) return [found.url, hasPort ? file.placeOf("consolePort") : "the default port"];
  const by = file.options["data"] === undefined ? "" : ` (${file.placeOf("data")})`;
  throw new CommandError(
    `No running Stagedoor uses ${dataDir}${by}. Start one with \`stagedoor start\`, or set its console URL with --url.`,
  );
};
