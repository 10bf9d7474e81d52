/** Environment variables with our prefix that nothing reads. */

import { nearestName } from "#contract/validation.ts";
import { type Environment, environment, isServiceLink, optionVariables } from "./config.ts";

const PREFIX = "STAGEDOOR_";

/** Variables that are not options. */
const OTHER_VARIABLES: readonly string[] = [
  "ADMIN_URL",
  "AUTH_URL",
  "CONSOLE_URL",
  "SHARDS",
  "JOB",
  "APP_ID",
  "APP_SECRET",
  "COPIED_APP",
  "NOTICES",
  "ACCESS_TOKEN",
  "JOIN_TOKEN",
  "READY_FD",
  "CALLED_AS",
  "EXPLORE",
].map((name) => `${PREFIX}${name}`);

/** What starts a command in the terminal of this process, if that is not `stagedoor`. */
const CALLED_AS = `${PREFIX}CALLED_AS`;

/** @returns what starts a command here, such as `npm start --`; undefined: `stagedoor`. */
export const commandPrefix = (env: Environment = environment()): string | undefined => {
  const prefix = env[CALLED_AS];
  return prefix !== undefined && /^[\w ./\\:~@-]{1,200}$/.test(prefix) ? prefix : undefined;
};

/** @returns the environment of a child, in whose terminal a command starts as usual. */
export const withoutPrefix = (env: Environment): Environment => ({ ...env, [CALLED_AS]: undefined });

/** Set by Kubernetes in every container next to a service called stagedoor or stagedoor-…. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;

/** @returns the variables with our prefix that nothing reads, and those of options that Kubernetes set. */
const straysIn = (env: Environment) => {
  const options = optionVariables();
  const known = [...options, ...OTHER_VARIABLES];
  const unknown = Object.keys(env).filter(
    (name) =>
      name.startsWith(PREFIX) && !known.includes(name) && !OF_KUBERNETES.test(name) && !isServiceLink(env[name] ?? ""),
  );
  return { unknown: unknown.sort(), links: options.filter((name) => isServiceLink(env[name] ?? "")), known };
};

/** @returns the environment without the variables that `variablesNotice` is about. */
export const withoutStrays = (env: Environment): Environment => {
  const { unknown, links } = straysIn(env);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !unknown.includes(name) && !links.includes(name)));
};

/** @returns warnings about such variables; undefined if there are none. */
export const variablesNotice = (env: Environment = environment()): string | undefined => {
  const { unknown, links, known } = straysIn(env);
  const names = known.map((one) => one.slice(PREFIX.length));
  const words = unknown.map((name) => {
    const nearest = nearestName(name.slice(PREFIX.length), names);
    return nearest === undefined ? name : `${name} (did you mean ${PREFIX}${nearest}?)`;
  });
  const lines: string[] = [];
  if (words.length > 0) lines.push(`Unknown environment variable${words.length === 1 ? "" : "s"}: ${words.join(", ")}`);
  if (links.length > 0)
    lines.push(
      `Ignored, because Kubernetes set it for a service of that name: ${links.join(", ")}. To avoid this, set enableServiceLinks: false in the pod.`,
    );
  return lines.length === 0 ? undefined : lines.join("\n");
};
