/** What the five keys of Present do. */
import type { Fault, Passcode } from "#client/index.ts";
import type { Order } from "#contract/control/stage-bridge.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { cache } from "../../api/cache.ts";
import { emulator, isGone } from "../../api/emulator.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { advanceClock } from "../../shared/clock/set-clock.ts";
import { addFault, removeFault } from "../../shared/fault/set-fault.ts";
import { complain } from "../../ui/action.tsx";
import { type NextStep, nextStepOf, typeCode } from "./next-step.ts";
import { type OwnApp, resetOwnApp } from "./own-app.ts";
import { BEGINNING, say, usePresent } from "./present-store.ts";

/** How far T moves the clock, in seconds: past the expiry of a code. */
const FORWARD_SECONDS = 660;

/** The phone's own calls, up to the maximum of a login. */
export const ownRequests = (appId: string) => requestsQuery({ appId, listener: "auth" }, 100);

/** @returns the phone's codes among those of its app, newest first. */
export const ownOf = (passcodes: readonly Passcode[], own: readonly string[]): Passcode[] =>
  passcodes.filter(({ requestId }) => requestId !== null && own.includes(requestId));

/** @returns the fault that F has set for the next request, if it has not failed yet. */
export const nextFault = (faults: readonly Fault[], appId: string): Fault | undefined =>
  faults.find((one) => isOn(one) && one.match.appId === appId && one.userId === null && !one.weather);

/** The keys with an act. */
export type ActKey = "Space" | "W" | "T" | "F" | "R";

/** @param send an order to the phone. @param isAway whether the server is unreachable. @returns the acts of the keys. */
export const actsOf = (own: OwnApp, send: (order: Order) => void, isAway: () => boolean) => {
  const { app, usernames } = own;
  const { appId } = app;
  const newest = (): Passcode | undefined =>
    ownOf(cache.getQueryData(passcodeList.query(appId).queryKey)?.items ?? [], usePresent.getState().own)[0];
  const next = (code = newest()): NextStep => {
    const { phone, asksCode, users } = usePresent.getState();
    const username = usernames[users % usernames.length] ?? "";
    return nextStepOf({ phone, asksCode, newest: code, field: usernameField(app), username });
  };

  /** Until the phone says so itself: a key that is pressed twice is one step. */
  const order = (given: Order): void => {
    send(given);
    usePresent.setState({ phone: given.type === "user" ? "typing" : given.type === "code" ? "checking" : "asking" });
  };
  /** The phone may know of its code before the event has come. */
  const codeNow = async (): Promise<Passcode | undefined> => {
    const { phone, asked } = usePresent.getState();
    const known = newest();
    if (phone !== "code" || known?.requestId === asked) return known;
    const { items } = await emulator.passcodes.list({ appId });
    return items.find(({ requestId }) => requestId === asked) ?? known;
  };
  const step = async (): Promise<unknown> => {
    const now = next(await codeNow());
    if ("why" in now) return say(now.why);
    if (now.order.type === "user") usePresent.setState(({ users }) => ({ users: users + 1 }));
    return order(now.order);
  };
  const mistype = async (): Promise<unknown> => {
    const { code } = (await codeNow()) ?? { code: "000000" };
    if (!usePresent.getState().asksCode) return say("The phone isn’t waiting for a code.");
    return order(typeCode(code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10))));
  };
  const forward = async (): Promise<void> => {
    await advanceClock(appId, FORWARD_SECONDS);
    usePresent.setState(({ moves }) => ({ moves: [...moves, new Date().toISOString()] }));
  };
  const fail = async (): Promise<void> => {
    const set = nextFault(cache.getQueryData(faultList.query(null).queryKey)?.items ?? [], appId);
    if (set !== undefined) await removeFault(set.id);
    else await addFault({ match: { listener: "auth", appId }, effect: { status: 503 }, times: 1 });
  };
  const startOver = async (): Promise<void> => {
    const since = cache.getQueryData(ownRequests(appId).queryKey)?.items[0]?.at ?? "";
    usePresent.setState({ ...BEGINNING, since });
    send({ type: "reset" });
    // An app that is gone is created again at once.
    await resetOwnApp(own).catch((error: unknown) => isGone(error) || complain(error));
  };
  const acts: Readonly<Record<ActKey, () => unknown>> = { Space: step, W: mistype, T: forward, F: fail, R: startOver };

  let turn: Promise<unknown> = Promise.resolve();
  let resets = 0;
  /** Each key is done after the one before; a reset at once, and what still waits for its turn is dropped. */
  const press = (key: ActKey): unknown => {
    if (isAway()) return say("Disconnected from Stagedoor. Press again when it is back.");
    if (key === "R") resets++;
    const asOf = resets;
    const before = key === "R" ? Promise.resolve() : turn;
    turn = before.then(() => (asOf === resets ? acts[key]() : undefined)).catch(complain);
    return turn;
  };
  return { press, next };
};
