/** The URLs, the app and the secret of a running Stagedoor, under names of the user. */
import { nearestName } from "#contract/validation.ts";
import { printable, wrongUsage } from "#server/plumbing/io.ts";

/** What can be named, and its usual name. */
export const VALUES = {
  adminUrl: "STAGEDOOR_ADMIN_URL",
  authUrl: "STAGEDOOR_AUTH_URL",
  consoleUrl: "STAGEDOOR_CONSOLE_URL",
  appId: "STAGEDOOR_APP_ID",
  secret: "STAGEDOOR_APP_SECRET",
} as const;
export type ValueName = keyof typeof VALUES;

const isValue = (name: string): name is ValueName => Object.hasOwn(VALUES, name);

/** @param given each `NAME=authUrl`. @param option for errors. @returns which value each name stands for. @throws CommandError */
export const namesGiven = (given: readonly string[], option: string): readonly (readonly [string, ValueName])[] =>
  given.map((text) => {
    const [, name = "", value = ""] = /^([A-Za-z_]\w*)=(\w+)$/.exec(text) ?? [];
    if (isValue(value)) return [name, value];
    const nearest = value === "" ? undefined : nearestName(value, Object.keys(VALUES));
    const hint = nearest === undefined ? `NAME=${Object.keys(VALUES).join("|")}` : `${name}=${nearest}`;
    throw wrongUsage(`${option} must be ${hint}, not "${printable(text)}".`);
  });

/** For `argParser` of an option that may be repeated. @returns the texts so far. */
export const repeated = (text: string, before: readonly string[] | undefined): readonly string[] => [
  ...(before ?? []),
  text,
];
