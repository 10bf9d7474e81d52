/**
 * A deterministic app over `kill -9`: it goes on where it was, and gives no id twice.
 */
import { expect, test } from "vitest";
import { type Built, startBuilt, temporaryDir } from "./built.ts";
import { caller } from "./client.ts";

const ROUNDS = 3;
const EACH = 8;
const APP = {
  appId: "repeats",
  secret: "sk_repeats",
  settings: {
    deterministic: { seed: 1 },
    token: { issuer: "https://issuer.example", audience: "https://audience.example" },
  },
};

/** Signs users up and sends them codes, round by round. @param between after each round. @returns all that the app then holds. */
const state = async (dir: string, between: (server: Built) => Promise<Built>): Promise<string> => {
  let server = await startBuilt(["--data", dir]);
  const auth = caller(() => server.ready.authUrl);
  const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);
  expect((await control("POST", "/apps", APP)).status).toBe(201);
  for (let round = 0; round < ROUNDS; round++) {
    for (let i = 0; i < EACH; i++) {
      const body = { appId: APP.appId, user: { phone: `+1202555${1000 + round * EACH + i}` } };
      expect((await auth("POST", "/v1/users/session", body)).status).toBe(200);
      expect((await auth("POST", "/v1/users/session", body)).status).toBe(202);
    }
    server = await between(server);
  }
  const whole = (await control("GET", `/state?appId=${APP.appId}&volatile=1`)).text;
  await server.stop();
  return whole;
};

test("what it gives is the same with and without being killed on the way", async () => {
  const [killed, left] = [await temporaryDir(), await temporaryDir()];
  const whole = await state(killed.dir, async (server) => {
    await server.stop("SIGKILL");
    return startBuilt(["--data", killed.dir]);
  });
  expect(whole).toBe(await state(left.dir, async (server) => server));
  const { profiles, passcodes, sessions } = JSON.parse(whole).apps[0];
  expect([profiles.length, passcodes.length, sessions.length]).toEqual([24, 24, 24]);
  expect(new Set([...profiles, ...passcodes, ...sessions].map(({ id, userId }) => id ?? userId)).size).toBe(72);
  await killed.remove();
  await left.remove();
});
