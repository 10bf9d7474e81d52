/**
 * Several seed files made one world, since one import is all or nothing; what the server finds wrong in it is told by
 * the file and line where it came from.
 */
import type { FixtureApp, WorldState } from "#contract/state.ts";
import type { SeedFile } from "./seed-files.ts";

const LISTS = ["profiles", "connections", "passcodes", "sessions"] as const;
type ListName = (typeof LISTS)[number];

/** @param rest of a path, such as `.phone`. @returns where that stands in a file. */
type Origin = (rest: string) => string;

interface Gathered {
  app: FixtureApp;
  origin: Origin;
  readonly origins: Record<ListName, Origin[]>;
}

const inWorld =
  (file: string, path: string): Origin =>
  (rest) =>
    `${file}: ${path}${rest}`;
const inLine =
  (file: string, line: number): Origin =>
  (rest) =>
    rest === "" ? `${file}:${line}` : `${file}:${line}: ${rest.replace(/^\./, "")}`;

/** A world to send, and the way back from its paths to the files. */
export interface Batch {
  readonly world: WorldState;
  /** @param path as in a 422, such as `apps[0].profiles[3].phone`. @returns the file with the place in it. */
  origin(path: string): string;
}

/** Adds an app to one of the same id: its lists grow, of all else the later counts. */
const merged = (before: FixtureApp, more: FixtureApp): FixtureApp => {
  const both: FixtureApp = { ...before, ...more };
  if (before.profiles && more.profiles) both.profiles = [...before.profiles, ...more.profiles];
  if (before.connections && more.connections) both.connections = [...before.connections, ...more.connections];
  if (before.passcodes && more.passcodes) both.passcodes = [...before.passcodes, ...more.passcodes];
  if (before.sessions && more.sessions) both.sessions = [...before.sessions, ...more.sessions];
  return both;
};

/** @param files as read. @param rowsApp the app that rows go to, as it is to be sent. */
export const batchOf = (files: readonly SeedFile[], rowsApp: FixtureApp | undefined): Batch => {
  const apps = new Map<string, Gathered>();
  let clock: WorldState["clock"];
  const gather = (app: FixtureApp, origin: Origin, originOf: (list: ListName, index: number) => Origin): void => {
    const before = apps.get(app.appId);
    const gathered: Gathered = before ?? {
      app,
      origin,
      origins: { profiles: [], connections: [], passcodes: [], sessions: [] },
    };
    if (before !== undefined) before.app = merged(before.app, app);
    for (const list of LISTS) {
      const added = (app[list] ?? []).map((_: unknown, i: number) => originOf(list, i));
      gathered.origins[list] = gathered.origins[list].concat(added);
    }
    apps.set(app.appId, gathered);
  };
  for (const read of files) {
    if ("world" in read) {
      const { file, world } = read;
      clock = world.clock ?? clock;
      for (const [i, app] of world.apps.entries())
        gather(app, inWorld(file, `apps[${i}]`), (list, j) => inWorld(file, `apps[${i}].${list}[${j}]`));
    } else if (rowsApp !== undefined) {
      const { file, rows } = read;
      gather({ ...rowsApp, profiles: rows.map((row) => row.profile) }, inLine(file, 1), (_, i) =>
        inLine(file, rows[i]?.line ?? 1),
      );
    }
  }
  const gathered = [...apps.values()];
  return {
    world: { version: 1, apps: gathered.map(({ app }) => app), ...(clock === undefined ? {} : { clock }) },
    origin: (path) => {
      const [, app = "", list, entry = "", rest = ""] = /^apps\[(\d+)\](?:\.(\w+)\[(\d+)\])?(.*)$/.exec(path) ?? [];
      const from = gathered[Number(app)];
      if (app === "" || from === undefined) return path;
      const name = LISTS.find((known) => known === list);
      if (name !== undefined) return from.origins[name][Number(entry)]?.(rest) ?? path;
      return from.origin(list === undefined ? rest : `.${list}[${entry}]${rest}`);
    },
  };
};
