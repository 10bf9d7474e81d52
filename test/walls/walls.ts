/** The import rules as checks of a set of files. Each takes the files and returns its violations. */

import { CHANNEL_NAMES, STRATEGY_NAMES } from "#contract/service/strategies.ts";
import type { Facts } from "./facts.ts";
import {
  CONFIG_FILES,
  DOORS,
  ECHOES,
  ENTRIES,
  KEPT,
  MAY_USE,
  MOCKABLE,
  NAMESAKES,
  RESERVED,
  ROOMS,
  type Room,
  SHARING,
  SHELL_LINES,
  STOREYS,
} from "./rules.ts";

/** A source file: its path from the top of the checkout, with `/`, its length in lines, and its facts. */
export interface Source {
  readonly path: string;
  readonly lines: number;
  readonly facts: Facts;
}

/** A violation, shown as `path:line [wall] message`. */
export interface Breach {
  readonly wall: string;
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** @returns the room of a file, by its path from the top of the checkout. */
const roomOf = (path: string): Room | undefined =>
  ROOMS.find(({ folder, only }) => path.startsWith(folder) && only?.test(path.slice(folder.length)) !== false);

/** @returns the path that a specifier leads to, or undefined for a package or a Node module. */
const target = (specifier: string, from: string): string | undefined => {
  for (const [door, folder] of DOORS) if (specifier.startsWith(door)) return folder + specifier.slice(door.length);
  if (!specifier.startsWith(".")) return undefined;
  // A query, as in `./icon.svg?raw`, is for the bundler.
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
};

const packageOf = (specifier: string): string =>
  specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");

/** @returns why this import is not allowed, or undefined if it is. */
const refusal = (specifier: string, from: string, room: Room): string | undefined => {
  if (specifier === "?") return "imports something computed, which nobody can check";
  const path = target(specifier, from);
  if (path !== undefined) {
    const other = roomOf(path);
    if (other === undefined) return room.rooms.includes(path) ? undefined : `imports ${path}, which is in no room`;
    if (specifier.startsWith(".") && !path.startsWith(room.folder)) return "leaves its folder by a path: use the door";
    const allowed =
      other === room || room.rooms.some((may) => may === other.name || may === path || `src-server/${may}` === path);
    return allowed ? undefined : `room ${room.name} may not import room ${other.name}`;
  }
  if (specifier.startsWith("node:"))
    return room.node || room.packages.includes(specifier)
      ? undefined
      : `room ${room.name} may not import Node's own ${specifier}`;
  const name = packageOf(specifier);
  const allowed = room.packages.some((may) => (may.endsWith("/") ? name.startsWith(may) : name === may));
  return allowed ? undefined : `room ${room.name} may not import package ${name}`;
};

const imports = (sources: readonly Source[]): Breach[] =>
  sources.flatMap(({ path, facts }) => {
    const room = roomOf(path);
    if (room === undefined)
      return path.startsWith("src-") ? [{ wall: "imports", path, line: 1, message: "is in no room of the table" }] : [];
    return facts.imports.flatMap(({ name, line }) => {
      const message = refusal(name, path, room);
      return message === undefined ? [] : [{ wall: "imports", path, line, message }];
    });
  });

const cycles = (sources: readonly Source[]): Breach[] => {
  const edges = new Map(
    sources.map(({ path, facts }) => [path, facts.imports.flatMap(({ name }) => target(name, path) ?? [])]),
  );
  const breaches: Breach[] = [];
  const done = new Set<string>();
  const walk = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path);
    if (start >= 0) {
      const round = [...trail.slice(start), path].join(" → ");
      breaches.push({ wall: "cycles", path, line: 1, message: `imports itself: ${round}` });
    }
    if (done.has(path)) return;
    done.add(path);
    for (const next of edges.get(path) ?? []) walk(next, [...trail, path]);
  };
  for (const path of edges.keys()) walk(path, []);
  return breaches;
};

const storeys = (sources: readonly Source[]): Breach[] =>
  STOREYS.flatMap(({ folder, layers }) => {
    const layerOf = (path: string | undefined): number =>
      path?.startsWith(folder) === true ? layers.findIndex(([, files]) => files.test(path.slice(folder.length))) : -1;
    return sources.flatMap(({ path, facts }) =>
      facts.imports.flatMap(({ name, line }) => {
        const [own, other] = [layerOf(path), layerOf(target(name, path))];
        if (own < 0 || other <= own) return [];
        const message = `${layers[own]?.[0]} may not import ${layers[other]?.[0]}: no arrow runs back up`;
        return [{ wall: "storeys", path, line, message }];
      }),
    );
  });

const shape = (sources: readonly Source[]): Breach[] =>
  sources.flatMap(({ path, facts }) => [
    ...(path.startsWith("src-") && !ENTRIES.includes(path) ? facts.reExports : []).map(({ name, line }) => ({
      wall: "barrels",
      path,
      line,
      message: `exports ${name} on: import it where it is`,
    })),
    ...(CONFIG_FILES.test(path) ? [] : facts.defaultExports).map(({ line }) => ({
      wall: "default-exports",
      path,
      line,
      message: "a default export has no name to search for",
    })),
  ]);

const reserved = (sources: readonly Source[]): Breach[] =>
  RESERVED.flatMap(({ wall, uses, within, but, why }) =>
    sources
      .filter(({ path }) => within.test(path) && but?.test(path) !== true)
      .flatMap(({ path, facts }) =>
        facts.uses
          .filter(({ name }) => uses.some((use) => name === use || name.startsWith(`${use}.`)))
          .map(({ name, line }) => ({ wall, path, line, message: `${name}: ${why}` })),
      ),
  );

const mocks = (sources: readonly Source[]): Breach[] =>
  sources.flatMap(({ path, facts }) =>
    facts.mocks
      .filter(({ name }) => !(MOCKABLE.within.test(path) && MOCKABLE.packages.includes(name)))
      .map(({ name, line }) => ({ wall: "mocks", path, line, message: `replaces ${name}: pass a port instead` })),
  );

const NAMED: readonly string[] = [...STRATEGY_NAMES, ...CHANNEL_NAMES];

/** A comparison with one of two strategies treats every other one as the second: what differs stands in a table. */
const strategies = (sources: readonly Source[]): Breach[] =>
  sources
    .filter(({ path }) => path.startsWith("src-") && !NAMESAKES.test(path))
    .flatMap(({ path, facts: { compared, keys } }) =>
      [
        ...compared
          .filter(({ name }) => NAMED.includes(name))
          .map(({ name, line }) => ({ line, message: `compares with "${name}": look it up in a table` })),
        ...keys
          .filter(({ name }) => /(^|\.)(strategy|channel)$/.test(name))
          .map(({ name, line }) => ({ line, message: `${name} is no field: usernameField(app) is` })),
      ].map((found) => ({ wall: "strategies", path, ...found })),
    );

/** An exported name means one thing in a program: its search finds one place. */
const namesakes = (sources: readonly Source[]): Breach[] => {
  const first = new Map<string, string>();
  return sources
    .filter(({ path }) => path.startsWith("src-") && !ECHOES.test(path))
    .flatMap(({ path, facts }) =>
      [...new Map(facts.exports.map((found) => [found.name, found])).values()].flatMap(({ name, line }) => {
        const key = `${path.split("/")[0]} ${name}`;
        const other = first.get(key);
        if (other === undefined) first.set(key, path);
        // A schema of the contract and the function that makes its value have one name.
        const isPair = path.startsWith("src-server/domain/") && other?.startsWith("src-server/contract/");
        if (other === undefined || isPair === true) return [];
        return [{ wall: "namesakes", path, line, message: `${name} is exported by ${other} as well` }];
      }),
    );
};

/** How many files of a program may have a function of one name, exported or not. */
const MOST_ALIKE = 3;

/** A function's name says what it does, and not only of which kind that is: few others have it. */
const alike = (sources: readonly Source[]): Breach[] => {
  const files = new Map<string, Source[]>();
  for (const source of sources) {
    if (!source.path.startsWith("src-") || ECHOES.test(source.path)) continue;
    for (const name of new Set(source.facts.functions.map((found) => found.name))) {
      const key = `${source.path.split("/")[0]} ${name}`;
      files.set(key, [...(files.get(key) ?? []), source]);
    }
  }
  return [...files].flatMap(([key, [first, ...others]]) => {
    if (first === undefined || others.length < MOST_ALIKE) return [];
    const name = key.slice(key.indexOf(" ") + 1);
    const line = first.facts.functions.find((found) => found.name === name)?.line ?? 1;
    const message = `${name} is a function of ${others.length + 1} files: say what it does`;
    return [{ wall: "alike", path: first.path, line, message }];
  });
};

/** Whether a file is in the folder of a feature, or one of the lists beside them. */
const isOfFeatures = (path: string): boolean => path.startsWith("src-server/features/");

/** A file of the kernel that one feature alone reads is that feature's. */
const leftovers = (sources: readonly Source[]): Breach[] => {
  const readers = new Map<string, Set<string | undefined>>();
  const own = sources.filter(({ path }) => path.startsWith("src-"));
  for (const { path, facts } of own)
    for (const { name } of facts.imports) {
      const read = target(name, path);
      if (read !== undefined) readers.set(read, (readers.get(read) ?? new Set()).add(featureOf(path)));
    }
  const isOutside = ({ path }: Source): boolean => !isOfFeatures(path);
  return own.filter(isOutside).flatMap(({ path }) => {
    const [only, ...others] = readers.get(path) ?? [];
    return only === undefined || others.length > 0
      ? []
      : [{ wall: "leftovers", path, line: 1, message: `only the feature ${only} reads it: it belongs there` }];
  });
};

/** The feature of a file: `failures` for `src-server/features/failures/faults/server.ts`. */
const featureOf = (path: string): string | undefined => {
  return /^(?:src-server|test)\/features\/([^/]+)\//.exec(path)?.[1];
};

/** Only the lists beside the folders name a feature; a feature names those that the table says. */
const features = (sources: readonly Source[]): Breach[] =>
  sources.flatMap(({ path, facts }) => {
    const own = featureOf(path);
    // What a program does, and what the console shows, may need every feature.
    if (
      own === undefined &&
      (isOfFeatures(path) || /^(src-(programs|renderer)|test\/(programs|renderer|e2e))\//.test(path))
    )
      return [];
    return facts.imports.flatMap(({ name, line }) => {
      const other = featureOf(target(name, path) ?? "");
      if (other === undefined || other === own) return [];
      const wall = "features";
      if (own === undefined) return [{ wall, path, line, message: `the kernel names the feature ${other}` }];
      if (MAY_USE[own]?.includes(other) === true) return [];
      return [{ wall, path, line, message: `${own} may not use ${other}: MAY_USE does not say so` }];
    });
  });

const placeOf = (path: string): string | undefined => /^src-renderer\/places\/([^/]+)\//.exec(path)?.[1];

/** No place of the console imports another: what two share stands in `src-renderer/shared`. */
const places = (sources: readonly Source[]): Breach[] =>
  sources.flatMap(({ path, facts }) =>
    facts.imports.flatMap(({ name, line }) => {
      const [own, other] = [placeOf(path), placeOf(target(name, path) ?? "")];
      if (own === undefined || other === undefined || own === other) return [];
      return [{ wall: "places", path, line, message: `${own} may not import ${other}: put it into shared` }];
    }),
  );

/** What one request could write into would be seen by the next. */
const constants = (sources: readonly Source[]): Breach[] =>
  sources
    .filter(({ path }) => SHARING.test(path))
    .flatMap(({ path, facts }) =>
      facts.changeable
        .filter(({ name }) => !KEPT.includes(`${path} ${name}`))
        .map(({ name, line }) => ({
          wall: "constants",
          path,
          line,
          message: `${name} is shared by all requests: give it a readonly type, or write as const`,
        })),
    );

const shellSize = (sources: readonly Source[]): Breach[] => {
  const lines = sources.filter(({ path }) => path.startsWith("src-main/")).reduce((sum, file) => sum + file.lines, 0);
  const message = `has ${lines} lines; the shell stays under ${SHELL_LINES}`;
  return lines < SHELL_LINES ? [] : [{ wall: "shell-size", path: "src-main", line: 1, message }];
};

/** @returns every violation in these files; pass the whole tree, or cycles stay undetected. */
export const breachesOf = (sources: readonly Source[]): readonly Breach[] =>
  [
    imports,
    cycles,
    storeys,
    shape,
    reserved,
    mocks,
    strategies,
    namesakes,
    features,
    places,
    alike,
    leftovers,
    constants,
    shellSize,
  ].flatMap((wall) => wall(sources));
