/** Plays the story of each person by HTTP, on an app that is thrown away. */

import type { Client } from "#client/index.ts";
import type { World } from "#client/records.ts";
import { frozen } from "#contract/frozen.ts";
import { strategyOf, usernameField } from "#contract/service/strategies.ts";
import { isPersona } from "#contract/words/personas.ts";

type App = World["apps"][number];
/** A person of a fixture file. */
export type Person = NonNullable<App["profiles"]>[number];

/** What a rehearsal has checked. `unchecked`: it could not be, and why. */
export interface StageCheck {
  readonly level: "ok" | "bad" | "unchecked";
  readonly text: string;
}

/** The lease of the app, in seconds: nothing stays, even if the rehearsal is killed. */
const TTL_SECONDS = 120;

/** How a login ended, in words, and how each scenario should end. */
const SIGNED_IN = "signs in";
const ENDS = frozen<Readonly<Record<string, string>>>({
  slow: SIGNED_IN,
  locked: "is rejected: passcode_exhausted",
  expiredCodes: "is rejected: passcode_expired",
  noDelivery: "never gets the message",
  serverError: "fails: 500",
});

/** @returns the people of an app, in order. */
export const peopleOnStage = ({ profiles = [] }: App): readonly Person[] => profiles.filter(isPersona);

/** @returns the name of a person, for a line. */
export const personName = ({ name, phone, email }: Person): string => name ?? phone ?? email ?? "A user";

/** Signs a user in as a phone would. @returns how that ended. */
const play = async (client: Client, auth: string, appId: string, user: object, to: string): Promise<string> => {
  const call = async (method: string, more = {}): Promise<{ status: number; refused: string }> => {
    const response = await fetch(`${auth}/v1/users/session`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId, user, ...more }),
    });
    await response.arrayBuffer();
    const reason = response.headers.get("Emulator-Reason");
    const isOfStory = reason?.startsWith("passcode_") === true;
    return { status: response.status, refused: isOfStory ? `is rejected: ${reason}` : `fails: ${response.status}` };
  };
  const asked = await call("POST");
  if (asked.status !== 202) return asked.refused;
  const [passcode] = (await client.passcodes.list({ appId, to, limit: 1 })).items;
  if (passcode === undefined || passcode.delivery === "failed") return "never gets the message";
  const { status, refused } = await call("PUT", { passcode: passcode.code });
  return status < 300 ? SIGNED_IN : refused;
};

/** @returns a check for each person of an app, and for its show. */
export const checkStories = async (client: Client, app: App): Promise<StageCheck[]> => {
  const { name = "Rehearsal", strategy, settings = {} } = app;
  const { delivery: _d, limits: _l, wire: _w, deterministic: _s, token: _t, ...kept } = settings;
  const { appId } = await client.apps.create({
    name,
    ...(strategy && { strategy }),
    settings: kept,
    ttlSeconds: TTL_SECONDS,
  });
  const people = peopleOnStage(app);
  try {
    await client.state.import({ apps: [{ appId, profiles: [...people] }] });
    const { auth } = await client.urls();
    const field = usernameField({ strategy: strategyOf(strategy) });
    const one = async (person: Person): Promise<StageCheck> => {
      const username = person[field];
      if (username == null) return { level: "bad", text: `${personName(person)} cannot sign in: no ${field}` };
      const end = await play(client, auth, appId, { [field]: username }, username);
      const { scenario } = person;
      // How a custom fault should end is unknown.
      const told = typeof scenario === "object" ? end : (ENDS[scenario ?? "slow"] ?? SIGNED_IN);
      if (end === told) return { level: "ok", text: `${personName(person)} ${end}` };
      return { level: "bad", text: `${personName(person)} ${end}, but the story is: ${told}` };
    };
    const missing = (settings.show ?? []).filter((key) => Number(key) > people.length);
    return [
      ...(await Promise.all(people.map(one))),
      ...[...new Set(missing)].map(
        (key): StageCheck => ({ level: "bad", text: `The show presses ${key}, but no person has that key` }),
      ),
    ];
  } finally {
    await client.apps.delete(appId);
  }
};
