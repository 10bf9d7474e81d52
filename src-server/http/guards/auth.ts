/** What a request carries: headers, query, tokens, and on the admin interface the secret of an app (service.md 5.1). */
import type { IncomingMessage } from "node:http";
import { type Problem, problem } from "#contract/service/problems.ts";
import type { AppWorld, World } from "#domain/world.ts";

/** @param name in lower case. @returns the values of all headers with this name. */
export const rawHeader = ({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): string[] => {
  const values: string[] = [];
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const given = rawHeaders[i];
    // The length rules out nearly all headers at no cost.
    if (given !== undefined && given.length === name.length && given.toLowerCase() === name)
      values.push(rawHeaders[i + 1] ?? "");
  }
  return values;
};

/** @returns the query of a request target. */
export const queryIn = (url: string): URLSearchParams => new URLSearchParams(/\?.*/s.exec(url)?.[0]);

/** The challenge of a 401. */
export const CHALLENGE = { headers: { "WWW-Authenticate": "Bearer" } } as const;

/** @returns the token of the only `Authorization: Bearer …` header; undefined if missing, different or repeated. */
export const bearerToken = (req: IncomingMessage): string | undefined => {
  const [header, second] = rawHeader(req, "authorization");
  return header === undefined || second !== undefined ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
};

/** @param refused secrets that are not accepted. @returns the app of the secret, or a 401 with the challenge. */
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
