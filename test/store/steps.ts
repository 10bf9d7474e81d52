/** Random changes of the state, as rules make them. Independent of the test runner. */
import fc from "fast-check";
import type { ClockRecord, Collection } from "#contract/service/records.ts";
import { usernameField } from "#contract/service/strategies.ts";
import type { Changes } from "#domain/decision.ts";
import type { AppWorld, World } from "#domain/world.ts";
import { app, connection, passcode, profile, session, uuid } from "./records.ts";

const APPS = ["a", "b", "c"];
const LISTS: readonly Collection[] = ["profiles", "passcodes", "sessions", "connections"];

/** One change to an app; `n` and `m` select the records. */
export type Step =
  | {
      do: Collection | "remove profiles" | "remove passcodes" | "remove sessions" | "rename";
      app: string;
      n: number;
      m: number;
    }
  | { do: "app" | "remove app" | "strategy" | "secret" | "clock"; app: string; n: number; m: number };

/** Any step. */
export const step: fc.Arbitrary<Step> = fc.record({
  do: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...LISTS) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("remove profiles", "remove passcodes", "remove sessions", "rename" as const),
    },
    { weight: 2, arbitrary: fc.constantFrom("app", "strategy", "secret", "clock" as const) },
    { weight: 1, arbitrary: fc.constant("remove app" as const) },
  ),
  app: fc.constantFrom(...APPS),
  n: fc.nat(12),
  m: fc.nat(4),
});

const seqOf = (known: AppWorld | undefined, list: Collection, n: number, changes: Changes): number =>
  known?.find(list, uuid(n))?.seq ?? changes.seq;

/** Whether another profile now has this one's username after a swap; no rule would reassign it. */
export const isTaken = (known: AppWorld, n: number, own: { readonly phone: string; readonly email: string }): boolean =>
  (known.profileByUsername(own[usernameField(known.app)])?.userId ?? uuid(n)) !== uuid(n);

/** Collects the changes of one step: what a rule would do, without its checks. */
export const collect = (world: World, { do: what, app: appId, n, m }: Step, changes: Changes): void => {
  const known = world.app(appId);
  if (known === undefined) {
    changes.putApp(app(changes.seq, appId, { strategy: n % 2 === 0 ? "phone" : "email" }));
    return;
  }
  const clock: ClockRecord | null = n % 2 === 0 ? null : { offsetMs: n, frozenAtMs: null };
  const owner = uuid(m);
  switch (what) {
    case "profiles": {
      const own = { phone: `+1${n}`, email: `User${n}@Example.com`, name: `m${m}` };
      if (isTaken(known, n, own)) break;
      changes.put("profiles", appId, profile(seqOf(known, "profiles", n, changes), n, own));
      break;
    }
    case "passcodes":
      changes.put("passcodes", appId, passcode(seqOf(known, "passcodes", n, changes), n, owner, { attempts: m }));
      break;
    case "sessions":
      changes.put("sessions", appId, session(seqOf(known, "sessions", n, changes), n, owner));
      break;
    case "connections":
      changes.put("connections", appId, connection(seqOf(known, "connections", n, changes), n, owner));
      break;
    case "rename": {
      // Swaps the usernames of two profiles.
      const [one, two] = [known.profiles[n % Math.max(1, known.profiles.length)], known.profiles[0]];
      if (one === undefined || two === undefined || one === two) break;
      changes.put("profiles", appId, { ...one, phone: two.phone, email: two.email });
      changes.put("profiles", appId, { ...two, phone: one.phone, email: one.email });
      break;
    }
    case "remove profiles":
    case "remove passcodes":
    case "remove sessions": {
      const ids = Array.from({ length: m === 0 ? 40 : m }, (_, i) => uuid(n + i));
      changes.remove(LISTS.find((list) => what.endsWith(list)) ?? "profiles", appId, ids);
      break;
    }
    case "strategy":
      changes.putApp({ ...known.app, strategy: known.app.strategy === "phone" ? "email" : "phone" });
      break;
    case "secret":
      changes.putApp({ ...known.app, secret: `secret-${appId}-${n}` });
      break;
    case "clock":
      changes.putClock(m === 0 ? null : appId, clock);
      break;
    case "remove app":
      changes.removeApp(appId);
      break;
    case "app":
      break;
  }
};
