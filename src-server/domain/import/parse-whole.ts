/** Validates the shape of a whole world at once, and repairs an invalid one, so that the rest of it can be checked. */
import { stateErrors, type WorldState, worldState } from "#contract/control/state.ts";
import { type FieldErrors, pathText } from "#contract/validation.ts";

/** A world and its shape errors by path. With errors it has stand-ins for the invalid values. */
export interface WholeState {
  readonly state: WorldState;
  readonly errors: FieldErrors;
}

/** A copy of parsed JSON, which is repaired in place. */
type Draft = string | number | boolean | null | Draft[] | { [key: string]: Draft };
type Container = Exclude<Draft, string | number | boolean | null>;
const isContainer = (value: Draft | undefined): value is Container => typeof value === "object" && value !== null;

/** Removes or replaces the invalid value at a path; list positions do not shift. */
const repair = (world: Draft, path: readonly PropertyKey[]): void => {
  const key = path.at(-1);
  let parent: Draft | undefined = world;
  for (const step of path.slice(0, -1))
    parent = Array.isArray(parent) ? parent[Number(step)] : isContainer(parent) ? parent[String(step)] : undefined;
  if (key === undefined || !isContainer(parent)) return;
  if (Array.isArray(parent)) {
    const entry = parent[Number(key)];
    // An entry that cannot be repaired removes its list.
    if (isContainer(entry) && Object.keys(entry).length === 0) repair(world, path.slice(0, -1));
    else parent[Number(key)] = {};
    return;
  }
  const name = String(key);
  const place = path.at(-2);
  // Required values get a stand-in, so that the rest of the entry can be validated.
  if (name === "appId" && typeof place === "number") parent[name] = `app-${place}`;
  else if (name === "name" && typeof place === "number") parent[name] = "unnamed";
  else if (Object.hasOwn(parent, name)) delete parent[name];
  else repair(world, path.slice(0, -1));
};

/** After this many rounds nothing repairable is left. */
const MOST_ROUNDS = 4;

/** @param raw parsed JSON; an error of the whole value is under `state`. */
export const parseWhole = (raw: unknown): WholeState => {
  const first = worldState.safeParse(raw, { reportInput: true });
  if (first.success) return { state: first.data, errors: {} };
  const { base, ...entries } = stateErrors(first.error);
  const errors = base === undefined ? entries : { state: base, ...entries };
  const rest: Draft = JSON.parse(JSON.stringify(raw) ?? "null");
  let { issues } = first.error;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const paths = issues.flatMap((issue) =>
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path],
    );
    for (const path of new Map(paths.map((path) => [pathText(path), path])).values()) repair(rest, path);
    const again = worldState.safeParse(rest);
    if (again.success) return { state: again.data, errors };
    ({ issues } = again.error);
  }
  return { state: { version: 1, apps: [] }, errors };
};
