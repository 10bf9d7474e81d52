/** Valid requests, and the ways in which a table of slips changes them. */

import type { Strategy } from "#contract/service/strategies.ts";
import { type Wire, wireBody } from "#contract/service/wire-body.ts";

/** A request as a test sends it. */
export interface Sent {
  readonly listener: "admin" | "auth";
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** What a valid request is made of. */
export interface World {
  readonly wire: Wire;
  readonly strategy: Strategy;
  readonly appId: string;
  readonly name: string;
  readonly secret: string;
  /** Of a user who is there. */
  readonly userId: string;
  readonly phone: string;
  readonly email: string;
  /** An active code of this user. */
  readonly code: string;
}

/** A row of the table. */
export interface Slip {
  readonly name: string;
  /** Which requests it changes. */
  readonly of: "POST" | "PUT" | "admin";
  /** Only for this strategy. */
  readonly by?: Strategy;
  /** Only for the wire settings for which it is a slip. */
  readonly when?: (world: World) => boolean;
  readonly change: (valid: Sent, world: World) => Sent;
  /** What the first advice must name. */
  readonly names: RegExp;
  /** Whether it must have what to send. */
  readonly cured: boolean;
  /** A request that works, but for what is ignored. */
  readonly works?: boolean;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of any shape, as clients write them
type Body = any;

/** The valid request of a kind. */
export const validRequest = (of: Slip["of"], world: World): Sent => {
  const { wire, strategy, appId, secret } = world;
  const username = world[strategy];
  if (of === "admin")
    return {
      listener: "admin",
      method: "POST",
      path: "/v1/profiles",
      headers: { Authorization: `Bearer ${secret}` },
      body: { name: "Ida" },
    };
  const passcode = of === "PUT" ? world.code : undefined;
  return {
    listener: "auth",
    method: of,
    path: "/v1/users/session",
    headers: {},
    body: wireBody(wire, { appId, strategy }, username, passcode),
  };
};

/** What is in the envelope. */
export const inside = ({ wire }: World, body: Body): Body => (wire.envelope === null ? body : body[wire.envelope]);
/** The user's fields, wherever they are. */
export const userOf = (world: World, body: Body): Body =>
  world.wire.userField === null ? inside(world, body) : inside(world, body)[world.wire.userField];

/** Changes a copy of the body. */
export const body =
  (change: (body: Body, world: World) => Body) =>
  (valid: Sent, world: World): Sent => {
    const copy = structuredClone(valid.body);
    return { ...valid, body: change(copy, world) ?? copy };
  };
/** Changes the app id. */
export const appId = (to: (id: string, world: World) => unknown) =>
  body((all, world) => {
    inside(world, all)[world.wire.appIdField] = to(world.appId, world);
  });
/** Changes the username. */
export const username = (to: (value: string, world: World) => unknown) =>
  body((all, world) => {
    userOf(world, all)[world.strategy] = to(world[world.strategy], world);
  });
/** Renames the username. */
export const renamedUser = (to: string) =>
  body((all, world) => {
    const user = userOf(world, all);
    user[to] = user[world.strategy];
    delete user[world.strategy];
  });
/** Changes the passcode. */
export const passcode = (to: (code: string) => unknown) =>
  body((all, world) => {
    const parts = world.wire.passcodeField.split(".");
    const last = parts.pop() ?? "";
    const at = parts.reduce((object, part) => object[part], inside(world, all));
    at[last] = to(world.code);
  });
/** Sends the passcode under another name. */
export const renamedCode = (to: string, where: "inside" | "user" = "inside") =>
  body((all, world) => {
    passcodeGone(all, world);
    (where === "user" ? userOf(world, all) : inside(world, all))[to] = world.code;
  });
/** Removes the passcode. */
export const passcodeGone = (all: Body, world: World): void => {
  const parts = world.wire.passcodeField.split(".");
  const last = parts.pop() ?? "";
  delete parts.reduce((object, part) => object[part], inside(world, all))[last];
};
/** Writes the body in another way. */
export const text =
  (to: (json: string, world: World) => string | Buffer) =>
  (valid: Sent, world: World): Sent => ({
    ...valid,
    headers: { ...valid.headers, "Content-Type": "application/json" },
    body: to(JSON.stringify(valid.body), world),
  });
/** Adds a header. */
export const header =
  (name: string, value: string) =>
  (valid: Sent): Sent => ({ ...valid, headers: { ...valid.headers, [name]: value } });
/** Changes the path. */
export const path =
  (to: (path: string, world: World) => string) =>
  (valid: Sent, world: World): Sent => ({ ...valid, path: to(valid.path, world) });
/** Changes the method. */
export const method =
  (to: string) =>
  (valid: Sent): Sent => ({ ...valid, method: to });
/** Changes the Authorization header. */
export const authorization =
  (to: (world: World) => string | undefined) =>
  (valid: Sent, world: World): Sent => {
    const value = to(world);
    const { Authorization: _, ...rest } = valid.headers;
    return { ...valid, headers: value === undefined ? rest : { ...rest, Authorization: value } };
  };
/** Reads one profile. */
export const onProfile =
  (id: (world: World) => string) =>
  (valid: Sent, world: World): Sent => ({
    ...valid,
    method: "GET",
    path: `/v1/profiles/${id(world)}`,
    body: undefined,
  });
/** Lists profiles with a query. */
export const listing =
  (query: string) =>
  (valid: Sent): Sent => ({ ...valid, method: "GET", path: `/v1/profiles?${query}`, body: undefined });

/** Whether bodies have a user object. */
export const hasUser = ({ wire }: World): boolean => wire.userField !== null;
/** Whether bodies have no envelope. */
export const isFlat = ({ wire }: World): boolean => wire.envelope === null;

/** A slip of a POST. */
export const post = (
  name: string,
  change: Slip["change"],
  names: RegExp,
  cured: boolean,
  more: Partial<Slip> = {},
): Slip => ({ name, of: "POST", change, names, cured, ...more });
/** A slip of a PUT. */
export const put = (
  name: string,
  change: Slip["change"],
  names: RegExp,
  cured: boolean,
  more: Partial<Slip> = {},
): Slip => ({ name, of: "PUT", change, names, cured, ...more });
/** A slip of a request to admin. */
export const admin = (
  name: string,
  change: Slip["change"],
  names: RegExp,
  cured: boolean,
  more: Partial<Slip> = {},
): Slip => ({ name, of: "admin", change, names, cured, ...more });
/** Only by phone. */
export const byPhone = { by: "phone" } as const;
/** Only by email. */
export const byEmail = { by: "email" } as const;
/** Only where bodies have a user object. */
export const withUser = { when: hasUser };
