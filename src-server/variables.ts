/** Environment variables with our prefix that nothing reads (CONTRACT 13). */
import { nearestName } from "#contract/validation.ts";
import { type Environment, environment, optionVariables } from "./config.ts";

const PREFIX = "STAGEDOOR_";

/** Variables that are not options. */
const OTHER_VARIABLES = [
  "ADMIN_URL",
  "AUTH_URL",
  "CONSOLE_URL",
  "SHARDS",
  "JOB",
  "APP_ID",
  "APP_SECRET",
  "ACCESS_TOKEN",
  "JOIN_TOKEN",
  "READY_FD",
].map((name) => `${PREFIX}${name}`);

/** Set by Kubernetes in every container beside a service called stagedoor or stagedoor-…. */
const OF_KUBERNETES = /_SERVICE_(HOST|PORT)(_|$)|_PORT_\d+_(TCP|UDP|SCTP)(_|$)/;

/** @returns the variables with our prefix that nothing reads. */
export const unknownVariables = (env: Environment): readonly string[] => {
  const known = new Set([...optionVariables(), ...OTHER_VARIABLES]);
  const isStray = (name: string): boolean =>
    name.startsWith(PREFIX) &&
    !known.has(name) &&
    !OF_KUBERNETES.test(name) &&
    !/^(tcp|udp|sctp):/.test(env[name] ?? "");
  return Object.keys(env).filter(isStray).sort();
};

/** @returns a one-line warning about such variables; undefined if there are none. */
export const unknownVariablesNotice = (env: Environment = environment()): string | undefined => {
  const strays = unknownVariables(env);
  if (strays.length === 0) return undefined;
  const known = [...optionVariables(), ...OTHER_VARIABLES].map((one) => one.slice(PREFIX.length));
  const words = strays.map((name) => {
    const nearest = nearestName(name.slice(PREFIX.length), known);
    return nearest === undefined ? name : `${name} (did you mean ${PREFIX}${nearest}?)`;
  });
  return `Unknown environment ${strays.length === 1 ? "variable" : "variables"}: ${words.join(", ")}`;
};
