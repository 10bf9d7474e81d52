/** The paths of operations: which listener owns a path, and the nearest path to an unknown one. */

import { isEmulated, type Listener, type Operation, routes } from "#contract/control/routes.ts";
import { nearestName } from "#contract/validation.ts";

interface Served {
  readonly listener: Listener;
  readonly parts: readonly string[];
  readonly isEmulated: boolean;
}

const SERVED: readonly Served[] = Object.values<Operation>(routes).map((operation) => ({
  listener: operation.listener,
  parts: operation.path.split("/"),
  isEmulated: isEmulated(operation),
}));
const CONSOLE_PARTS: ReadonlySet<string> = new Set(["emulator", "openapi"]);
/** Longer paths are not typos, and comparing them is expensive. */
const LONGEST_SLIP = 200;

const partsOf = (path: string): string[] => path.replace(/\/$/, "").split("/");
const isParameter = (part = ""): boolean => part.startsWith(":");

const isServedBy = (parts: readonly string[], served: readonly string[]): boolean =>
  served.length === parts.length &&
  served.every((part, i) => part === parts[i] || (isParameter(part) && parts[i] !== ""));

/** @returns the parameters of a path that an operation serves; undefined if it does not. */
export const paramsIn = (path: string, served: string): Readonly<Record<string, string>> | undefined => {
  const [parts, own] = [partsOf(path), partsOf(served)];
  if (!isServedBy(parts, own)) return undefined;
  return Object.fromEntries(own.flatMap((part, i) => (isParameter(part) ? [[part.slice(1), parts[i] ?? ""]] : [])));
};

/** @returns the listener that serves this path; undefined if none does. */
export const listenerOf = (path: string): Listener | undefined => {
  const parts = partsOf(path);
  const found = SERVED.find((served) => isServedBy(parts, served.parts));
  return found?.listener ?? (CONSOLE_PARTS.has(parts[1] ?? "") ? "console" : undefined);
};

/** @returns the nearest of these paths, cut to as many parts; parameters are as in the given one. */
const nearestOf = (parts: readonly string[], among: readonly Served[]) => {
  const path = parts.join("/");
  if (path.length > LONGEST_SLIP) return undefined;
  const near = among.map(({ listener, parts: served }) => ({
    listener,
    path: parts.map((part, i) => (isParameter(served[i]) ? part : served[i])).join("/"),
  }));
  const names = near.map((one) => one.path);
  return near[names.indexOf(nearestName(path, names) ?? "")];
};

/** What was meant by a path that nothing serves. */
export interface Meant {
  readonly path: string;
  /** What is wrong with the path; absent: it is misspelt. */
  readonly why?: string;
}

/** So many parts before a path can be too many. */
const MOST_PREFIXES = 3;

const prefixWords = (extra: readonly string[], rest: readonly string[]): string => {
  const prefix = `/${extra.join("/")}`;
  const isTwice = rest.slice(1, 1 + extra.length).join("/") === extra.join("/");
  return isTwice
    ? `has ${prefix} twice, as when a base URL ends with it`
    : `starts with ${prefix}, which does not belong there`;
};

/** @param parts of the path, the first of them empty. @returns it without a prefix that is too much, or with one that it lacks. */
const otherPrefix = (parts: readonly string[], among: readonly Served[]): Meant | undefined => {
  for (let extra = 1; extra <= MOST_PREFIXES && extra < parts.length - 1; extra += 1) {
    const rest = ["", ...parts.slice(1 + extra)];
    if (among.some((served) => isServedBy(rest, served.parts)))
      return { path: rest.join("/"), why: prefixWords(parts.slice(1, 1 + extra), rest) };
  }
  const given = parts.slice(1);
  // A parameter alone is no likeness.
  const longer = among.find(({ parts: served }) => {
    const tail = served.slice(-given.length);
    return served.length > parts.length && !isParameter(tail[0]) && isServedBy(given, tail);
  });
  if (longer === undefined || given.join("") === "") return undefined;
  const lacks = longer.parts.slice(1, -given.length);
  return { path: ["", ...lacks, ...given].join("/"), why: `is missing /${lacks.join("/")}` };
};

/** @returns what was meant by a path that nothing serves, of the same listener; undefined: nothing is like it. */
export const meantByPath = (path: string, listener: Listener): Meant | undefined => {
  if (path.length > LONGEST_SLIP) return undefined;
  const parts = partsOf(path);
  const own = SERVED.filter((served) => served.listener === listener);
  return (
    otherPrefix(parts, own) ??
    nearestOf(
      parts,
      own.filter((served) => served.parts.length === parts.length),
    )
  );
};

/** @param path a final `*` stands for the rest. @returns what was meant by a path that no request can have. */
export const meantByPattern = (path: string, listener: Listener | undefined): string | undefined => {
  const open = path.endsWith("*");
  const parts = open ? path.slice(0, -1).split("/") : partsOf(path);
  const last = parts.length - 1;
  const among = SERVED.filter(
    (served) =>
      served.isEmulated &&
      (listener ?? served.listener) === served.listener &&
      (open ? served.parts.length > last : served.parts.length === parts.length),
  );
  /** A `*` stands for the rest of the last part, and for more parts. */
  const fits = ({ parts: served }: Served): boolean =>
    open
      ? isServedBy(parts.slice(0, last), served.slice(0, last)) &&
        (isParameter(served[last]) || served[last]?.startsWith(parts[last] ?? "") === true)
      : isServedBy(parts, served);
  const nearest = among.some(fits) ? undefined : nearestOf(parts, among)?.path;
  return nearest && `${nearest}${open ? "*" : ""}`;
};
