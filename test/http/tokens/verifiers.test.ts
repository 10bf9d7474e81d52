/** Libraries that backends use follow the keys, at the auth URL and at an issuer of the app's own. */
import { createPublicKey } from "node:crypto";
import { SimpleFetcher } from "aws-jwt-verify/https";
import { SimpleJwksCache, SimplePenaltyBox } from "aws-jwt-verify/jwk";
import { JwtVerifier } from "aws-jwt-verify/jwt-verifier";
import express from "express";
import { auth as bearer } from "express-oauth2-jwt-bearer";
import buildGetJwks from "get-jwks";
import { decodeProtectedHeader, jwtVerify } from "jose";
import jwksClient from "jwks-rsa";
import { describe, expect, test } from "vitest";
import type { KeyAlgorithm } from "#contract/service/token-claims.ts";
import { harness, PHONE } from "#test/http/decisions/support.ts";
import { listenWith } from "./backends.ts";

const { app: newApp, control, server } = harness({ config: { tls: true }, now: Date.now });

/** What a backend is configured with. */
interface Place {
  readonly issuer: string;
  readonly audience: string;
  /** By https. */
  readonly jwksUri: string;
  /** The certificate authority of that URL, as PEM. */
  readonly ca: string;
}
/** @returns the user of a token. @throws Error if it is refused. */
type Verify = (token: string) => Promise<unknown>;

/** Checks all but the key with jose. @param keyOf finds the public key, as PEM. */
const byKey =
  ({ issuer, audience }: Place, keyOf: (header: { kid: string; alg: string }) => Promise<string>): Verify =>
  async (token) => {
    const { kid = "", alg = "" } = decodeProtectedHeader(token);
    const key = createPublicKey(await keyOf({ kid, alg }));
    return (await jwtVerify(token, key, { issuer, audience, algorithms: [alg] })).payload.sub;
  };

const ALL: readonly KeyAlgorithm[] = ["ES256", "RS256", "EdDSA"];
/** Each library with the algorithms that it supports, and a backend with it whose caches are empty. */
const VERIFIERS: readonly [string, readonly KeyAlgorithm[], (place: Place) => Promise<Verify>][] = [
  [
    "express-oauth2-jwt-bearer",
    ALL,
    async ({ issuer, audience }) => {
      const backend = express();
      backend.use(bearer({ issuerBaseURL: issuer, audience, cooldownDuration: 0, cacheMaxAge: 0 }));
      backend.get("/me", (req, res) => void res.json(req.auth?.payload.sub));
      const { url } = await listenWith(() => backend);
      return async (token) => {
        const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
        if (response.status !== 200) throw new Error(`${response.status}`);
        return await response.json();
      };
    },
  ],
  [
    "jwks-rsa",
    ALL,
    async (place) => {
      const keys = jwksClient({ jwksUri: `${place.issuer}/.well-known/jwks.json` });
      return byKey(place, async ({ kid }) => (await keys.getSigningKey(kid)).getPublicKey());
    },
  ],
  [
    "get-jwks",
    ["ES256", "RS256"],
    async (place) => {
      const keys = buildGetJwks();
      return byKey(place, (header) => keys.getPublicKey({ ...header, domain: place.issuer }));
    },
  ],
  [
    "aws-jwt-verify",
    ALL,
    async ({ issuer, audience, jwksUri, ca }) => {
      const fetcher = new SimpleFetcher({ defaultRequestOptions: { ca } });
      const penaltyBox = new SimplePenaltyBox({ waitSeconds: 0 });
      const jwksCache = new SimpleJwksCache({ fetcher, penaltyBox });
      const verifier = JwtVerifier.create({ issuer, audience, jwksUri }, { jwksCache });
      return async (token) => (await verifier.verify(token)).sub;
    },
  ],
];

describe.each(VERIFIERS)("%s", (_, supported, start) => {
  test.each(["the auth URL", "an issuer of the app's own"])("follows the keys of %s", async (where) => {
    const app = await newApp();
    const origin = new URL(server().urls.auth).origin;
    const path = where === "the auth URL" ? "" : `/apps/${app.appId}`;
    if (path !== "") await app.patch({ settings: { "token.issuer": origin + path } });
    const { userId } = (await app.start({ phone: PHONE })).json;
    const signed = async (): Promise<string> =>
      (await control("POST", "/sessions", { appId: app.appId, userId })).json.token;
    const place: Place = {
      issuer: origin + path,
      audience: server().urls.admin,
      jwksUri: `${server().authTlsUrl}${path}/.well-known/jwks.json`,
      ca: (await control("GET", "/tls")).json.ca.pem,
    };

    const verify = await start(place);
    const valid = [await signed()];
    const expectValid = async (by: Verify): Promise<void> => {
      for (const token of valid) expect(await by(token), decodeProtectedHeader(token).alg).toBe(userId);
    };
    await expectValid(verify);
    expect((await control("POST", "/signing-keys/rotate", { algorithm: "ES256" })).status).toBe(200);
    valid.push(await signed());
    await expectValid(verify);

    for (const algorithm of ALL.slice(1)) {
      await app.patch({ settings: { "token.algorithm": algorithm } });
      const token = await signed();
      if (supported.includes(algorithm)) valid.push(token);
      else await expect(verify(token)).rejects.toThrow(/kty|unsupported/i);
      await expectValid(verify);
    }

    const [old = ""] = valid.splice(0, 1);
    expect((await control("DELETE", `/signing-keys/${decodeProtectedHeader(old).kid}`)).status).toBe(204);
    const later = await start(place);
    await expect(later(old)).rejects.toThrow();
    await expectValid(later);
  });
});
