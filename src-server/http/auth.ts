/** Who asks on the admin interface: the app whose secret the request carries (SPEC 5.1). */
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "#contract/problems.ts";
import type { AppWorld, World } from "#domain/world.ts";

/** @param name in small letters. @returns the value of each header with this name. */
export const rawHeader = ({ rawHeaders }: IncomingMessage, name: string): string[] => {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i];
    // The length tells nearly all of them apart, at no cost.
    if (given !== undefined && given.length === name.length && given.toLowerCase() === name)
      values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
};

/** What a refusal for want of the right secret carries. */
export const CHALLENGE = { headers: { "WWW-Authenticate": "Bearer" } };

/** @returns the token of the one `Authorization: Bearer …` header, undefined if there is none, another or several. */
export const bearerToken = (req: IncomingMessage): string | undefined => {
  const [header, second] = rawHeader(req, "authorization");
  if (header === undefined || second !== undefined) return undefined;
  const match = /^bearer +(\S+) *$/i.exec(header);
  return match?.[1];
};

/**
 * @param refused secrets that open nothing.
 * @returns the app whose secret the request carries, or 401 with the challenge.
 */
export const appOfSecret = (
  world: World,
  req: IncomingMessage,
  refused: ReadonlySet<string>,
): { readonly app: AppWorld } | { readonly problem: Problem } => {
  const secret = bearerToken(req);
  if (secret === undefined) return problem("missing_secret", CHALLENGE);
  const app = world.appBySecret(secret);
  return app === undefined || refused.has(app.app.secret) ? problem("unknown_secret", CHALLENGE) : { app };
};
