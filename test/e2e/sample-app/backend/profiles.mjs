// @ts-check
/**
 * The user's own profile. The session token says whose it is; the app's secret, which no browser ever sees, lets us at it.
 */
import { createRemoteJWKSet, errors, jwtVerify } from "jose";
import { z } from "zod";

/**
 * @typedef {{ readonly adminUrl: string, readonly authUrl: string, readonly appId: string, readonly appSecret: string }} Service
 * @typedef {{ readonly status: number, readonly body: unknown, readonly headers?: Readonly<Record<string, string>> }} Answer
 */

const stored = z.object({
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});
const change = z.object({
  name: z.string().nullable(),
  email: z.string().nullable(),
  favoriteSeat: z.string().nullable(),
});
const claims = z.object({ sub: z.string(), appId: z.string() });

/** jose's codes for "the keys could not be fetched"; its others say what is wrong with the token. */
const NO_KEYS = new Set(["ERR_JOSE_GENERIC", "ERR_JWKS_TIMEOUT", "ERR_JWKS_INVALID"]);

/** @type {Answer} */
const SIGNED_OUT = { status: 401, body: { message: "This session is not valid." } };
/** @type {Answer} */
const NO_SERVICE = { status: 502, body: { message: "The profile service cannot be reached." } };

/** @param {Service} service */
export const createProfiles = ({ adminUrl, authUrl, appId, appSecret }) => {
  // Fetched when the first token comes, and kept.
  const keys = createRemoteJWKSet(new URL(`${authUrl}/.well-known/jwks.json`));

  /**
   * @param {string} token
   * @returns {Promise<string | undefined>} the user's id, or undefined if the token is none of ours or has ended
   * @throws {Error} if the keys cannot be had
   */
  const userOf = async (token) => {
    try {
      const checks = { issuer: authUrl, audience: adminUrl, algorithms: ["ES256"] };
      const { sub, appId: of } = claims.parse((await jwtVerify(token, keys, checks)).payload);
      return of === appId ? sub : undefined;
    } catch (error) {
      const keysMissing = !(error instanceof errors.JOSEError) || NO_KEYS.has(error.code);
      if (keysMissing && !(error instanceof z.ZodError)) throw error;
      return undefined;
    }
  };

  /**
   * @param {string} method
   * @param {string} userId
   * @param {unknown} [body]
   */
  const ask = (method, userId, body) =>
    fetch(`${adminUrl}/v1/profiles/${userId}`, {
      method,
      headers: { Authorization: `Bearer ${appSecret}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(10_000),
    });

  /** @param {Response} response @returns {Promise<Answer>} what the page may know of a refusal */
  const refusal = async (response) => {
    const { status, headers } = response;
    if (status === 404) return SIGNED_OUT;
    if (status === 422) return { status, body: await response.json() };
    const wait = headers.get("Retry-After");
    if (status === 429) return { status, body: {}, headers: wait === null ? {} : { "Retry-After": wait } };
    return NO_SERVICE;
  };

  return {
    /**
     * Reads, or changes and reads, the profile of the token's user.
     * @param {string} token
     * @param {unknown} [wanted] of a change, as the page sent it
     * @returns {Promise<Answer>}
     */
    mine: async (token, wanted) => {
      try {
        const userId = await userOf(token);
        if (userId === undefined) return SIGNED_OUT;
        if (wanted !== undefined) {
          const read = change.safeParse(wanted);
          if (!read.success) return { status: 422, body: z.flattenError(read.error).fieldErrors };
          const { name, email, favoriteSeat } = read.data;
          const updated = await ask("PUT", userId, { name, email, metadata: { favorite_seat: favoriteSeat } });
          if (!updated.ok) return await refusal(updated);
        }
        // The answer to an update may leave the phone out, so what is shown is always read.
        const response = await ask("GET", userId);
        if (!response.ok) return await refusal(response);
        const { name, phone, email, metadata } = stored.parse(await response.json());
        const favoriteSeat = metadata?.["favoriteSeat"] ?? null;
        return { status: 200, body: { name, phone, email, favoriteSeat } };
      } catch {
        return NO_SERVICE;
      }
    },
  };
};
