/** Which running Stagedoor a command means: the one place that decides it. */
import { findHolder } from "#server/boot/holder.ts";
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
  const holder = findHolder(dataDir);
  // The default data may be open in another instance than that of the file.
  const isOther = hasPort && !hasData && holder?.consoleUrl && new URL(holder.consoleUrl).port !== String(consolePort);
  if (holder?.consoleUrl && !isOther) return [holder.consoleUrl, holder.file];
  if (consolePort !== 0 && (hasPort || !hasData))
    return [`http://127.0.0.1:${consolePort}`, hasPort ? file.placeOf("consolePort") : "the default port"];
  const by = file.options["data"] === undefined ? "" : ` (${file.placeOf("data")})`;
  throw new CommandError(
    `No running Stagedoor uses ${dataDir}${by}. Start one with \`stagedoor start\`, or set its console URL with --url.`,
  );
};
