/** The content of a session token, and how it is signed (D29, CONTRACT 11). */
import { textAttribute } from "#contract/attributes.ts";
import type { ProfileRecord, SessionRecord } from "#contract/records.ts";
import {
  epochSeconds,
  expirySeconds,
  instantMs,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from "#contract/scalars.ts";
import type { DiscoveryDocument } from "#contract/sessions.ts";
import type { OwnClaims, TokenAlgorithm } from "#contract/token-claims.ts";
import type { Signing, TokenClaims } from "#contract/tokens.ts";
import type { AppWorld, World } from "./world.ts";

/** The claims of a session token, derived from the record alone, so that it can be signed again. */
export const tokenClaims = (appId: string, session: SessionRecord): TokenClaims => {
  const iat = epochSeconds(instantMs(session.createdAt));
  return {
    iss: session.issuer,
    aud: session.audience,
    sub: session.userId,
    jti: session.id,
    appId,
    iat,
    nbf: iat,
    exp: expirySeconds(instantMs(session.expiresAt)),
  };
};

/** `{userId}`, `{name}` and other text attributes, `{metadata.<key>}` in a string of `token.claims`. */
const PLACEHOLDER = /\{(metadata\.([^{}]+)|\w+)\}/g;

const fieldOf = (profile: ProfileRecord, name: string, key: string | undefined): JsonValue => {
  if (key !== undefined) {
    const { metadata } = profile;
    return metadata !== null && Object.hasOwn(metadata, key) ? (metadata[key] ?? null) : null;
  }
  const field = name === "userId" ? name : textAttribute(name);
  return field === undefined ? `{${name}}` : profile[field];
};

const asText = (value: JsonValue): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** A string that is a single placeholder becomes its value of any type; inside a longer string, its text. */
const filledText = (text: string, profile: ProfileRecord): JsonValue => {
  const [match, second] = text.matchAll(PLACEHOLDER);
  if (match === undefined) return text;
  if (second === undefined && match[0] === text) return fieldOf(profile, match[1] ?? "", match[2]);
  return text.replaceAll(PLACEHOLDER, (_, name: string, key?: string) => asText(fieldOf(profile, name, key)));
};

const filled = (value: unknown, profile: ProfileRecord): unknown => {
  if (typeof value === "string") return filledText(value, profile);
  if (isJsonArray(value)) return value.map((entry) => filled(entry, profile));
  return isJsonObject(value) ? filledClaims(value, profile) : value;
};

const filledClaims = (claims: OwnClaims, profile: ProfileRecord): OwnClaims =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, filled(value, profile)]));

/** @param app undefined if deleted meanwhile. @param more claims for this token only. @returns how to sign it. */
export const signingOf = (app: AppWorld | undefined, userId: string, more?: OwnClaims): Signing => {
  const { secret = "", settings } = app?.app ?? {};
  const token = settings?.token;
  if (token === undefined && more === undefined) return { secret };
  const { algorithm, claims } = token ?? {};
  const own = claims === undefined ? more : { ...claims, ...more };
  const profile = own === undefined ? undefined : app?.find("profiles", userId);
  return {
    secret,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(own === undefined ? {} : { more: profile === undefined ? own : filledClaims(own, profile) }),
  };
};

/** @param byDefault for apps that set none. @returns the distinct algorithms of the apps; without apps the default. */
export const algorithmsInUse = (
  { apps }: Pick<World, "apps">,
  byDefault: TokenAlgorithm,
): ReadonlySet<TokenAlgorithm> =>
  new Set(apps.length === 0 ? [byDefault] : apps.map(({ app }) => app.settings.token?.algorithm ?? byDefault));

/**
 * @param algorithms of all tokens that can be valid; repetitions are left out.
 * @returns the discovery document. It omits the authorization and token endpoints that OIDC requires.
 */
export const discovery = (issuer: string, algorithms: readonly TokenAlgorithm[]): DiscoveryDocument => ({
  issuer,
  jwks_uri: `${issuer}/.well-known/jwks.json`,
  response_types_supported: ["none"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: [...new Set(algorithms)],
  "x-emulator": "stagedoor",
});

/** @returns the secret of an app that signs with HS256; undefined for other or unknown apps. */
export const hmacSecretOf = (world: World, appId: string): string | undefined => {
  const app = world.app(appId)?.app;
  return app?.settings.token?.algorithm === "HS256" ? app.secret : undefined;
};
