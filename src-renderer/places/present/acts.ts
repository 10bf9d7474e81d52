/** What Present knows next to the server, and what its five keys do. */
import { create } from "zustand";
import type { Fault, Passcode } from "#client/index.ts";
import type { Order, PhoneState } from "#contract/control/stage-bridge.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { cache } from "../../api/cache.ts";
import { emulator, isGone } from "../../api/emulator.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { advanceClock } from "../../shared/clock/set-clock.ts";
import { addFault, removeFault } from "../../shared/fault/set-fault.ts";
import { complain } from "../../ui/action.tsx";
import { type OwnApp, resetOwnApp } from "./own-app.ts";

interface PresentState {
  readonly phone: PhoneState;
  /** Whether the phone expects a code. */
  readonly asksCode: boolean;
  /** The phone's requests since the last reset: all others are those of real phones. */
  readonly own: readonly string[];
  /** The one that sent the code for which the phone asks. */
  readonly asked: string | null;
  /** The time of the newest request at the last reset. */
  readonly since: string;
  /** When the clock was moved on, as ISO instants of real time. */
  readonly moves: readonly string[];
  /** The number of users so far: the next one is this many after the first. */
  readonly users: number;
  /** Why the last key did nothing; empty after some seconds. */
  readonly said: string;
}

/** The initial state. */
export const BEGINNING: PresentState = {
  phone: "loading",
  asksCode: false,
  own: [],
  asked: null,
  since: "",
  moves: [],
  users: 0,
  said: "",
};

/** The state of Present. */
export const usePresent = create<PresentState>(() => BEGINNING);

const SAID_MS = 4_000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Says for four seconds why a key did nothing. */
export const say = (said: string): void => {
  clearTimeout(timer);
  usePresent.setState({ said });
  timer = setTimeout(() => usePresent.setState({ said: "" }), SAID_MS);
};

/** The phone's own calls, up to the maximum of a login. */
export const ownRequests = (appId: string) => requestsQuery({ appId, listener: "auth" }, 100);

/** @returns the phone's codes among those of its app, newest first. */
export const ownOf = (passcodes: readonly Passcode[], own: readonly string[]): Passcode[] =>
  passcodes.filter(({ requestId }) => requestId !== null && own.includes(requestId));

/** @returns the fault that F has set for the next request, if it has not failed yet. */
export const nextFault = (faults: readonly Fault[], appId: string): Fault | undefined =>
  faults.find((one) => isOn(one) && one.match.appId === appId && one.userId === null && !one.weather);

/** Typing speed in milliseconds per letter, slow enough to follow; all at once with reduced motion. */
const paced = (ms: number): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : ms);
const typeCode = (code: string): Order => ({ type: "code", code, everyMs: paced(90) });

/** What Space does next, in two words, and the order that does it; or why it cannot now. */
type NextStep = { readonly label: string } & ({ readonly order: Order } | { readonly why: string });

const FIRST = { phone: "Enter number", email: "Enter email" } as const;
const RESPONSE = "The phone is waiting for the response.";

const nextStepOf = ({ app, usernames }: OwnApp, newest: Passcode | undefined): NextStep => {
  const { phone, asksCode, users } = usePresent.getState();
  const username = usernames[users % usernames.length] ?? "";
  const user: Order = { type: "user", username, everyMs: paced(Math.min(45, 700 / username.length)) };
  const first = FIRST[usernameField(app)];
  if (phone === "signedIn") return { label: "Next user", order: user };
  if (phone === "unknownApp") return { label: first, why: "The phone does not know its app. Press R." };
  if (asksCode || phone === "checking") {
    const hasEnded = phone === "expired" || phone === "locked" || (newest !== undefined && newest.delivery !== "sent");
    if (hasEnded) return { label: "New code", order: { type: "resend" } };
    if (phone === "checking" || newest === undefined)
      return { label: "Enter code", why: newest === undefined ? "There is no code yet." : RESPONSE };
    return { label: "Enter code", order: typeCode(newest.code) };
  }
  if (phone === "asking") return { label: "Request code", why: RESPONSE };
  if (phone === "loading" || phone === "typing") return { label: first, why: "The phone is busy." };
  return phone === "idle" ? { label: first, order: user } : { label: "Request code", order: { type: "submit" } };
};

/** How far T moves the clock, in seconds: past the expiry of a code. */
const FORWARD_SECONDS = 660;

/** The keys with an act. */
export type ActKey = "Space" | "W" | "T" | "F" | "R";

/** @param send an order to the phone. @param isAway whether the server is unreachable. @returns the acts of the keys. */
export const actsOf = (own: OwnApp, send: (order: Order) => void, isAway: () => boolean) => {
  const { appId } = own.app;
  const newest = (): Passcode | undefined =>
    ownOf(cache.getQueryData(passcodeList.query(appId).queryKey)?.items ?? [], usePresent.getState().own)[0];
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
    const now = nextStepOf(own, await codeNow());
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
  return {
    /** Each key is done after the one before; a reset at once, and what still waits for its turn is dropped. */
    press: (key: ActKey): unknown => {
      if (isAway()) return say("Disconnected from Stagedoor. Press again when it is back.");
      if (key === "R") resets++;
      const asOf = resets;
      const before = key === "R" ? Promise.resolve() : turn;
      turn = before.then(() => (asOf === resets ? acts[key]() : undefined)).catch(complain);
      return turn;
    },
    /** What Space does next. */
    label: (): string => nextStepOf(own, newest()).label,
  };
};
