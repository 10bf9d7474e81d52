/** Tries a request against the data as it is, by the same rules, without a change. */

import { isEmulated, type Operation, type OperationId, readsBody, routes } from "#contract/control/routes.ts";
import { isJsonObject, type JsonObject, readUuid } from "#contract/scalars.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Problem, ProblemCode } from "#contract/service/problems.ts";
import type { ProfileRecord } from "#contract/service/records.ts";
import { type FieldErrors, fieldErrors } from "#contract/validation.ts";
import type { Decision } from "#domain/decision.ts";
import { createProfile, updateProfile } from "#domain/profiles.ts";
import { authenticate, startSession } from "#domain/sessions.ts";
import type { Store } from "#domain/store.ts";
import { type AppWorld, type Env, type World, worldOf } from "#domain/world.ts";
import type { Deps } from "#http/deps.ts";
import { paramsIn } from "#http/paths.ts";
import { createWireReader } from "#http/wire.ts";
import type { Attempt } from "./attempt.ts";

/** How far a request has come: the later the check that refuses it, the larger. */
const STAGES = [
  "path",
  "method",
  "secret",
  "profile",
  "type",
  "unread",
  "body",
  "app",
  "fields",
  "passcode",
  "user",
  "rule",
  "code",
] as const;

/** What became of a try. */
export interface Verdict {
  readonly accepted: boolean;
  readonly stage: (typeof STAGES)[number] | "done";
  readonly code: ProblemCode | null;
  readonly fields: FieldErrors;
  /** The app and the operation, once they are known. */
  readonly app: AppWorld | undefined;
  readonly operation: OperationId | undefined;
  readonly userId: string | undefined;
}

const weightOf = ({ fields }: Verdict): number => {
  let weight = 0;
  for (const list of Object.values(fields)) {
    if (list.includes("must be an object")) weight += 5;
    else weight += list.includes("can't be blank") ? 3 : 1;
  }
  return weight;
};

/** @returns whether a request got further. What is missing deepest counts most: a user before the user's phone. */
export const isFurther = (before: Verdict, after: Verdict): boolean => {
  const [a, b] = [before, after].map(({ stage }) => (stage === "done" ? STAGES.length : STAGES.indexOf(stage)));
  if (a !== b) return (b ?? 0) > (a ?? 0);
  if (before.app?.app.appId !== after.app?.app.appId) return before.app === undefined;
  const isContainer = ({ fields, app }: Verdict): boolean => {
    const { userField } = effectiveSettings(app?.app.settings ?? {}).wire;
    return userField !== null && Object.hasOwn(fields, userField);
  };
  if (isContainer(before) && !isContainer(after)) return true;
  return weightOf(after) < weightOf(before);
};

const OPERATIONS: readonly (readonly [string, Operation])[] = Object.entries<Operation>(routes).filter(
  ([, operation]) => isEmulated(operation),
);

type Known = Pick<Verdict, "app" | "operation">;

const verdict = (stage: Verdict["stage"], more: Partial<Verdict> = {}): Verdict => ({
  accepted: stage === "done",
  stage,
  code: null,
  fields: {},
  app: undefined,
  operation: undefined,
  userId: undefined,
  ...more,
});

const bodyVerdict = ({ isReadable, isUnread, body }: Attempt, known: Known): Verdict | undefined => {
  if (!isReadable) return verdict("type", { code: "not_json", ...known });
  if (isUnread) return verdict("unread", known);
  if (isJsonObject(body)) return undefined;
  return verdict("body", { code: body === undefined ? "malformed_json" : "body_not_object", ...known });
};

const decided = (decision: Decision<unknown>, known: Known, isCode = (_field: string): boolean => false): Verdict => {
  const more = { ...known, userId: decision.notes?.userId };
  if (!("problem" in decision)) return verdict("done", more);
  const { code, fields = {} }: Problem = decision.problem;
  const names = Object.keys(fields);
  const stage = (): Verdict["stage"] => {
    if (code === "unknown_user") return "user";
    if (code.startsWith("passcode_")) return "code";
    if (code !== "invalid_fields") return "rule";
    return names.length > 0 && names.every(isCode) ? "passcode" : "fields";
  };
  return verdict(stage(), { ...more, code, fields });
};

interface Parts {
  readonly store: Store;
  readonly env: Env;
  readonly readWire: ReturnType<typeof createWireReader>;
  /** Secrets that are not accepted although an app has them. */
  readonly refused: ReadonlySet<string>;
}

/** @returns an environment in which no lots are drawn, for what never comes to be. */
const stillEnv = ({ now, nameId, retention }: Pick<Env, "now" | "nameId" | "retention">): Env => {
  const id = "00000000-0000-4000-8000-000000000000";
  return {
    now,
    uuid: () => id,
    nameId,
    digits: (count) => "0".repeat(count),
    secret: () => "",
    random: () => ({ uuid: () => id, digits: (count) => "0".repeat(count), requestId: (own) => own }),
    urls: { admin: "", auth: "" },
    retention,
    request: { id: null, device: null },
  };
};

/** @param refused secrets that are not accepted although an app has them. @returns a trial that sees all apps. */
export const createTrial = ({ store, env }: Pick<Deps, "store" | "env">, refused: ReadonlySet<string>): Trial =>
  new Trial({ store, env: stillEnv(env), readWire: createWireReader(store), refused });

/** Tries requests. */
export class Trial {
  readonly #parts: Parts;
  /** The only app that it sees; undefined: all. */
  readonly #only: string | undefined;

  /** @param only the app that advice may name; absent: any. */
  constructor(parts: Parts, only?: string) {
    this.#parts = parts;
    this.#only = only;
  }

  get store(): Store {
    return this.#parts.store;
  }

  get world(): World {
    const { world } = this.store;
    return this.#only === undefined ? world : worldOf(world, this.#only);
  }

  /** @returns a trial that sees what whoever has this app may see: one of a join token sees no other. */
  seenBy(appId: string | null): Trial {
    const app = this.store.world.app(appId ?? "");
    if (app?.app.joined === undefined) return this;
    return new Trial(this.#parts, app.app.appId);
  }

  operationsAt({ listener, path }: Attempt): readonly (readonly [OperationId, Operation])[] {
    return OPERATIONS.filter(
      ([, operation]) => operation.listener === listener && paramsIn(path, operation.path) !== undefined,
      // The keys of the table.
    ).map(([id, operation]) => [id as OperationId, operation] as const);
  }

  /** @returns what would become of a request. */
  try(attempt: Attempt): Verdict {
    const there = this.operationsAt(attempt);
    if (there.length === 0) return verdict("path", { code: "unknown_path" });
    const [operation, row] = there.find(([, { method }]) => method === attempt.method) ?? [];
    if (row === undefined || operation === undefined || row.auth === "session")
      return verdict("method", { code: "method_not_allowed" });
    const app = row.auth === "secret" ? this.#appOf(attempt) : undefined;
    if (row.auth === "secret" && app === undefined) {
      const code = attempt.secret === undefined ? "missing_secret" : "unknown_secret";
      return verdict("secret", { code, operation });
    }
    const { userId } = paramsIn(attempt.path, row.path) ?? {};
    const id = userId === undefined ? undefined : readUuid(userId);
    const profile = id === undefined ? undefined : app?.find("profiles", id);
    if (userId !== undefined && profile === undefined)
      return verdict("profile", { code: "unknown_profile", app, operation });
    return (
      (readsBody(row) ? bodyVerdict(attempt, { app, operation }) : undefined) ??
      this.#queryVerdict(row, { app, operation }, attempt) ??
      this.#ruled(operation, app, profile, isJsonObject(attempt.body) ? attempt.body : {})
    );
  }

  #ruled(
    operation: OperationId,
    app: AppWorld | undefined,
    profile: ProfileRecord | undefined,
    raw: JsonObject,
  ): Verdict {
    const { env, readWire } = this.#parts;
    if (operation === "startSession" || operation === "authenticate") {
      const read = readWire(raw);
      if ("problem" in read)
        return verdict("app", { code: read.problem.code, fields: read.problem.fields ?? {}, operation });
      const rule = operation === "startSession" ? startSession : authenticate;
      const isCode = (field: string): boolean => field === read.request.names.passcode;
      return decided(rule(this.world, read.app, read.request, env), { app: read.app, operation }, isCode);
    }
    if (app === undefined) return verdict("done", { operation });
    if (operation === "createProfile") return decided(createProfile(this.world, app, raw, env), { app, operation });
    if (operation === "updateProfile" && profile !== undefined)
      return decided(updateProfile(this.world, app, profile, raw, env), { app, operation });
    return verdict("done", { app, operation });
  }

  #appOf({ secret }: Attempt): AppWorld | undefined {
    const app = secret === undefined ? undefined : this.world.appBySecret(secret);
    return app === undefined || this.#parts.refused.has(app.app.secret) ? undefined : app;
  }

  #queryVerdict(row: Operation, known: Known, { query }: Attempt): Verdict | undefined {
    const { app } = known;
    const settings = app && effectiveSettings(app.app.settings);
    const schema = (settings && row.queryOf?.(settings)) ?? row.query;
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(Object.fromEntries(query), { reportInput: true });
    if (parsed.error === undefined) return undefined;
    return verdict("fields", { code: "invalid_fields", fields: fieldErrors(parsed.error), ...known });
  }
}
