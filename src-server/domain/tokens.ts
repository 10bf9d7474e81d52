/** The content of a session token, and how it is signed (D29). */
import {
  epochSeconds,
  expirySeconds,
  instantMs,
  isJsonArray,
  isJsonObject,
  type JsonValue,
} from "#contract/scalars.ts";
import { textAttribute } from "#contract/service/attributes.ts";
import { PLACEHOLDER, TIME_PLACEHOLDERS, type TimePlaceholder } from "#contract/service/claim-placeholders.ts";
import type { ProfileRecord, SessionRecord } from "#contract/service/records.ts";
import type { DiscoveryDocument } from "#contract/service/sessions.ts";
import type { OwnClaims, TokenAlgorithm } from "#contract/service/token-claims.ts";
import type { Signing, TokenClaims } from "#contract/service/tokens.ts";
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

/** What placeholders become: of the user, and of the token. */
interface Values {
  readonly profile: ProfileRecord;
  readonly times: Readonly<Record<TimePlaceholder, number>>;
}

const METADATA = "metadata.";

/** @returns the value of a key, or of a path through objects. */
const withinMetadata = (value: JsonValue | undefined, path: string): JsonValue => {
  if (!isJsonObject(value)) return null;
  if (Object.hasOwn(value, path)) return value[path] ?? null;
  const dot = path.indexOf(".");
  const key = path.slice(0, Math.max(dot, 0));
  return Object.hasOwn(value, key) ? withinMetadata(value[key], path.slice(dot + 1)) : null;
};

const fieldOf = ({ profile, times }: Values, name: string): JsonValue => {
  if (name.startsWith(METADATA)) return withinMetadata(profile.metadata, name.slice(METADATA.length));
  const time = TIME_PLACEHOLDERS.find((one) => one === name);
  if (time !== undefined) return times[time];
  const field = name === "userId" ? name : textAttribute(name);
  return field === undefined ? `{${name}}` : profile[field];
};

const asText = (value: JsonValue): string =>
  typeof value === "string" ? value : value === null ? "" : JSON.stringify(value);

/** A string that is a single placeholder becomes its value of any type; inside a longer string, its text. */
const filledText = (text: string, values: Values): JsonValue => {
  const [match, second] = text.matchAll(PLACEHOLDER);
  if (match === undefined) return text;
  if (second === undefined && match[0] === text) return fieldOf(values, match[1] ?? "");
  return text.replaceAll(PLACEHOLDER, (_, name: string) => asText(fieldOf(values, name)));
};

const filledValue = (value: unknown, values: Values): unknown => {
  if (typeof value === "string") return filledText(value, values);
  if (isJsonArray(value)) return value.map((entry) => filledValue(entry, values));
  return isJsonObject(value) ? filledClaims(value, values) : value;
};

const filledClaims = (claims: OwnClaims, values: Values): OwnClaims =>
  Object.fromEntries(Object.entries(claims).map(([name, value]) => [name, filledValue(value, values)]));

/** @param app undefined if deleted in the meantime. @param more claims for this token only. @returns how to sign it. */
export const signingOf = (app: AppWorld | undefined, session: SessionRecord, more?: OwnClaims): Signing => {
  const { secret = "", settings } = app?.app ?? {};
  const token = settings?.token;
  if (token === undefined && more === undefined) return { secret };
  const { algorithm, claims } = token ?? {};
  const own = claims === undefined ? more : { ...claims, ...more };
  const profile = own === undefined ? undefined : app?.find("profiles", session.userId);
  const iat = epochSeconds(instantMs(session.createdAt));
  const times = { issuedAt: iat, expiresAt: expirySeconds(instantMs(session.expiresAt)), signedInAt: iat };
  return {
    secret,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(own === undefined ? {} : { more: profile === undefined ? own : filledClaims(own, { profile, times }) }),
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
