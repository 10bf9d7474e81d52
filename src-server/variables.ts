/** Environment variables with our prefix that nothing reads (CONTRACT 13). */
import { nearestName } from "#contract/validation.ts";
import { type Environment, environment, isServiceLink, optionVariables } from "./config.ts";

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
const unknownVariables = (env: Environment): readonly string[] => {
  const known = new Set([...optionVariables(), ...OTHER_VARIABLES]);
  const isStray = (name: string): boolean =>
    name.startsWith(PREFIX) && !known.has(name) && !OF_KUBERNETES.test(name) && !isServiceLink(env[name] ?? "");
  return Object.keys(env).filter(isStray).sort();
};

/** @returns the variables of options that Kubernetes set: they are ignored. */
const serviceLinks = (env: Environment): readonly string[] =>
  optionVariables().filter((name) => isServiceLink(env[name] ?? ""));

/** @returns the environment without the variables that `variablesNotice` is about. */
export const withoutStrays = (env: Environment): Environment => {
  const strays = new Set([...unknownVariables(env), ...serviceLinks(env)]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !strays.has(name)));
};

const serviceLinksNotice = (env: Environment): string[] => {
  const names = serviceLinks(env);
  if (names.length === 0) return [];
  return [
    `Ignored, because Kubernetes set it for a service of that name: ${names.join(", ")}. To avoid this, set enableServiceLinks: false in the pod.`,
  ];
};

/** @returns warnings about such variables, and about options that Kubernetes set; undefined if there are none. */
export const variablesNotice = (env: Environment = environment()): string | undefined => {
  const lines = [...unknownNotice(env), ...serviceLinksNotice(env)];
  return lines.length === 0 ? undefined : lines.join("\n");
};

const unknownNotice = (env: Environment): string[] => {
  const strays = unknownVariables(env);
  if (strays.length === 0) return [];
  const known = [...optionVariables(), ...OTHER_VARIABLES].map((one) => one.slice(PREFIX.length));
  const words = strays.map((name) => {
    const nearest = nearestName(name.slice(PREFIX.length), known);
    return nearest === undefined ? name : `${name} (did you mean ${PREFIX}${nearest}?)`;
  });
  return [`Unknown environment ${strays.length === 1 ? "variable" : "variables"}: ${words.join(", ")}`];
};
