/** The service as implemented by both baselines: the happy path with plain maps. No checks, log, events or disk. */
import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { CompactSign, generateKeyPair } from "jose";

const { privateKey } = await generateKeyPair("ES256");
const utf8 = new TextEncoder();

/** @typedef {{ userId: string, name: string | null, phone: string | null, email: string | null, metadata: Record<string, unknown> | null, createdAt: string, updatedAt: string }} Profile */

/** @type {Map<string, Profile>} */
export const profiles = new Map();
/** @type {Map<string, Profile>} */
export const byPhone = new Map();
/** @type {Map<string, string>} */
export const codes = new Map();

/** @param {Partial<Profile>} given */
export const createProfile = (given) => {
  const now = new Date().toISOString();
  const profile = {
    userId: given.userId ?? randomUUID(),
    name: given.name ?? null,
    phone: given.phone ?? null,
    email: given.email ?? null,
    metadata: given.metadata ?? null,
    createdAt: now,
    updatedAt: now,
  };
  profiles.set(profile.userId, profile);
  if (profile.phone !== null) byPhone.set(profile.phone, profile);
  return profile;
};

/**
 * @param {string} userId
 * @returns a session with a signed token: the same claims and library as Stagedoor
 */
export const createSession = async (userId) => {
  const id = randomUUID();
  const iat = Math.floor(Date.now() / 1000);
  const exp = iat + 86_400;
  const claims = { iss: "http://127.0.0.1:4011", aud: "http://127.0.0.1:4010", sub: userId, jti: id, appId: "bench" };
  const payload = utf8.encode(JSON.stringify({ ...claims, iat, nbf: iat, exp }));
  const token = await new CompactSign(payload)
    .setProtectedHeader({ alg: "ES256", kid: "bench", typ: "JWT" })
    .sign(privateKey);
  return { id, expiration: exp, userId, token };
};

/** @param {string} to */
export const sendPasscode = (to) => {
  codes.set(to, String(randomInt(1_000_000)).padStart(6, "0"));
};

/**
 * @param {number} page
 * @param {number} limit
 */
export const listProfiles = (page, limit) => {
  /** @type {Profile[]} */
  const found = [];
  let place = 0;
  for (const profile of profiles.values()) {
    if (place >= page * limit) break;
    if (place >= (page - 1) * limit) found.push(profile);
    place += 1;
  }
  return found;
};

/**
 * @param {Profile} profile
 * @param {Partial<Profile>} change
 */
export const updateProfile = (profile, change) =>
  Object.assign(profile, change, {
    metadata: { ...profile.metadata, ...change.metadata },
    updatedAt: new Date().toISOString(),
  });

// Reads the profiles of a fixture file, like Stagedoor.
const [file] = process.argv.slice(2);
if (file !== undefined)
  for (const app of JSON.parse(readFileSync(file, "utf8")).apps)
    for (const profile of app.profiles) createProfile(profile);
