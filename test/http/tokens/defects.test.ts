/** Tokens with one defect. */
import { createRemoteJWKSet, jwtVerify } from "jose";
import { describe, expect, test } from "vitest";
import { canHave, DEFECT_NAMES, DEFECTS, isAdvice } from "#contract/service/token-defects.ts";
import { expectInvalid, harness } from "#test/http/decisions/support.ts";
import { LONG_SECRET, parts, signIns } from "./support.ts";

const host = harness();
const { control, server, clock } = host;
const signIn = signIns(host);
const ACTIVE = ["wrongIssuer", "wrongAudience", "noAudience"];
const REASONS: Readonly<Record<string, string>> = {
  expired: "expired",
  notYetValid: "not_yet_valid",
  issuedInFuture: "issued_in_future",
  wrongKey: "bad_signature",
  unknownKid: "unknown_kid",
  noKid: "no_kid",
  tampered: "bad_signature",
  algNone: "algorithm_none",
  hmacWithPublicKey: "wrong_algorithm",
  noSubject: "no_subject",
  unknownUser: "unknown_user",
  revoked: "revoked",
  garbage: "malformed",
};

test("there are sixteen defects, five of them advisory", () => {
  expect(DEFECT_NAMES).toHaveLength(16);
  expect(DEFECT_NAMES.filter(isAdvice)).toEqual(["issuedInFuture", "noKid", "noSubject", "unknownUser", "revoked"]);
});

describe.each(["ES256", "RS256", "EdDSA", "HS256"])("%s", (algorithm) => {
  const signedIn = () => signIn({ algorithm }, { secret: LONG_SECRET });

  test.each(DEFECT_NAMES)("%s: introspection names the defect", async (defect) => {
    const { wrong, session } = await signedIn();
    const made = await wrong(defect);
    // The next test creates an app with the same secret.
    await control("DELETE", `/apps/${parts(session.token)[1].appId}`).catch(() => undefined);
    if (!canHave(algorithm, defect)) return expectInvalid(made, "defect");
    expect(made.status, made.text).toBe(200);
    expect(made.json).toEqual({ token: made.json.token, defect, why: DEFECTS[defect].why });
  });

  test("a verifier rejects each except the advisory ones, and accepts the good token", async () => {
    const { wrong, appId } = await signedIn();
    const { auth, admin } = server().urls;
    const jwks = createRemoteJWKSet(new URL("/.well-known/jwks.json", auth));
    const options = { issuer: auth, audience: admin, currentDate: new Date(clock.ms), algorithms: [algorithm] };
    const accepts = (token: string) =>
      (algorithm === "HS256"
        ? jwtVerify(token, Buffer.from(LONG_SECRET), options)
        : jwtVerify(token, jwks, options)
      ).then(
        () => true,
        () => false,
      );
    const introspect = async (token: string) => (await control("POST", "/sessions/introspect", { token })).json;
    const good = (await wrong()).json;
    expect(good).toMatchObject({ defect: null, why: null });
    expect(await accepts(good.token)).toBe(true);
    expect((await introspect(good.token)).active).toBe(true);
    for (const defect of DEFECT_NAMES.filter((name) => canHave(algorithm, name))) {
      const { token } = (await wrong(defect)).json;
      if (!isAdvice(defect)) expect(await accepts(token), defect).toBe(false);
      const { active, reason } = await introspect(token);
      if (ACTIVE.includes(defect)) expect([defect, active, reason]).toEqual([defect, true, undefined]);
      else expect([defect, active, reason]).toEqual([defect, false, REASONS[defect]]);
    }
    expect((await introspect(good.token)).active, "a wrong token leaves the session alone").toBe(true);
    await control("DELETE", `/apps/${appId}`);
  });
});

test("wrong times are wrong by the app's clock and by real time", async () => {
  const { wrong, appId, session } = await signIn();
  await control("PUT", `/clock?appId=${appId}`, { offsetSeconds: 86_400 * 3 });
  expect(parts((await wrong("expired")).json.token)[1].exp).toBeLessThan(clock.seconds);
  for (const [defect, claim] of [
    ["notYetValid", "nbf"],
    ["issuedInFuture", "iat"],
  ] as const) {
    const claims = parts((await wrong(defect)).json.token)[1];
    expect(claims[claim]).toBeGreaterThan(clock.seconds + 86_400 * 3);
    expect(claims.exp, "it is not expired as well").toBeGreaterThan(claims[claim]);
  }
  expect(parts(session.token)[1].exp).toBe(clock.seconds + 86_400);
});

test("a revoked session is created once per user", async () => {
  const { wrong, appId } = await signIn();
  const [first, second] = [(await wrong("revoked")).json, (await wrong("revoked")).json];
  expect(parts(first.token)[1].jti).toBe(parts(second.token)[1].jti);
  expect((await control("GET", `/sessions?appId=${appId}`)).json.total).toBe(2);
});

test("an unknown defect returns 422 with the nearest name, an unknown session 404", async () => {
  const { wrong } = await signIn();
  expectInvalid(await wrong("expird"), "defect");
  expect((await control("POST", "/sessions/nobody/token", {})).status).toBe(404);
});
