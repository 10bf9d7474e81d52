/** A deterministic app across `kill -9`: it continues where it was and repeats no id. */
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

/** Signs users up and sends them codes, in rounds. @param between after each round. @returns the app's final content. */
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

test("a deterministic app has the same content with and without kills in between", async () => {
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
