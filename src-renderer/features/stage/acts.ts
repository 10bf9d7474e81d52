/** The presenter's actions on a stage, by key, by button, or by `?play=1`. */
import type { RefObject } from "react";
import type { Fault, Passcode } from "#client/index.ts";
import type { Order } from "#contract/control/stage-bridge.ts";
import { usernameField } from "#contract/service/strategies.ts";
import { personaLocale } from "#contract/words/languages.ts";
import { cache } from "../../api/cache.ts";
import { isGone } from "../../api/emulator.ts";
import { faultList, isOn } from "../../api/faults.ts";
import { passcodeList, requestsQuery } from "../../api/queries.ts";
import { advanceClock } from "../../shared/clock/set-clock.ts";
import { presetOf } from "../../shared/fault/fault-presets.ts";
import { addFault, removeFault } from "../../shared/fault/set-fault.ts";
import { complain } from "../../ui/action.tsx";
import { FLIGHT_MS, flyDigits, isStill } from "./flight.ts";
import { resetStageApp, type StageApp } from "./stage-app.ts";
import { BEGINNING, useStage } from "./stage-store.ts";
import { words } from "./words.ts";

/** Typing speed in milliseconds per letter, slow enough to follow. */
const LETTER_MS = 45;
const WORD_MS = 700;
const DIGIT_MS = 90;

/** Why an action did nothing; undefined: it did something. */
type Declined = string | undefined;

/** The phone's own calls, up to the maximum of a login. */
export const ownRequests = (appId: string) => requestsQuery({ appId, listener: "auth" }, 100);

/** @returns the phone's codes among those of its app, newest first. */
export const ownOf = (passcodes: readonly Passcode[], own: readonly string[]): Passcode[] =>
  passcodes.filter(({ requestId }) => requestId !== null && own.includes(requestId));

/** @returns the fault that the presenter has set for the next request, if it has not failed yet. */
export const nextFault = (faults: readonly Fault[], appId: string): Fault | undefined =>
  faults.find((one) => isOn(one) && one.match.appId === appId && one.userId === null && !one.weather);

type Frame = RefObject<HTMLIFrameElement | null>;

/** @returns the actions of a stage. @param send sends an order to the phone in the frame. @param speed as a factor. */
export const actsOf = (stage: StageApp, frame: Frame, send: (order: Order) => void, speed: number) => {
  const { appId } = stage.app;
  const slowly = (ms: number): number => (isStill() ? 0 : ms / speed);
  const newest = (): Passcode | undefined =>
    ownOf(cache.getQueryData(passcodeList.query(appId).queryKey)?.items ?? [], useStage.getState().own)[0];
  const fault = () => nextFault(cache.getQueryData(faultList.query(null).queryKey)?.items ?? [], appId);
  let resetting: Promise<unknown> = Promise.resolve();
  const enter = (code: string, from: Element | null): Declined => {
    const { field } = useStage.getState();
    const screen = frame.current;
    if (field === null || screen === null) return words().noCodeAsked;
    const flies = from !== null && !isStill();
    if (flies) flyDigits(code, from, screen, field, slowly(DIGIT_MS));
    send({ type: "code", code, afterMs: flies ? FLIGHT_MS : 0, everyMs: slowly(DIGIT_MS) });
    return undefined;
  };
  return {
    newest,
    /** @returns whether the next request fails. */
    willFail: (): boolean => fault() !== undefined,
    /** Starts a login for the persona at this index. */
    persona: async (at: number): Promise<Declined> => {
      const { [usernameField(stage.app)]: username, metadata } = stage.personas[at] ?? {};
      if (username == null) return words().nobody(String(at + 1));
      useStage.setState({ audience: false, guests: false, person: at });
      await resetting;
      const locale = personaLocale(metadata) ?? null;
      const everyMs = slowly(Math.min(LETTER_MS, WORD_MS / username.length));
      send({ type: "persona", username, name: "", locale, everyMs });
      return undefined;
    },
    /** Types the newest code into the phone. */
    type: (): Declined => {
      const passcode = newest();
      if (passcode === undefined) return words().noCode;
      if (passcode.delivery !== "sent") return words().notArrived;
      const message = document.querySelector('[data-testid="message"][data-shown] [data-code]');
      return enter(passcode.code, message);
    },
    /** Types a wrong code. */
    typeWrong: (): Declined => {
      const code = newest()?.code ?? "000000";
      const wrong = code.replace(/\d/g, (digit) => String((Number(digit) + 1) % 10));
      return enter(wrong, null);
    },
    /** Makes the next request fail, or cancels that. */
    fail: async (): Promise<Declined> => {
      const set = fault();
      if (set !== undefined) await removeFault(set.id);
      const preset = presetOf("recover")?.fault;
      if (set === undefined && preset !== undefined)
        await addFault({ ...preset, match: { ...preset.match, appId }, times: 1 });
      return undefined;
    },
    /** Moves the clock past the expiry of the newest code. */
    expire: async (): Promise<Declined> => {
      const passcode = newest();
      if (passcode?.status !== "active") return words().nothingToExpire;
      // By the app's own clock, which may be ahead of ours.
      const life = Date.parse(passcode.expiresAt) - Date.parse(passcode.createdAt);
      await advanceClock(appId, Math.ceil(life / 1_000) + 1);
      return undefined;
    },
    /** Turns on or off: blurred names and numbers, a phone without network, the QR code, the room, all buttons. */
    toggle: (name: "blurred" | "offline" | "audience" | "guests" | "keysStay"): Declined => {
      const on = !useStage.getState()[name];
      // The QR code and the room have the same place.
      const half = name === "audience" || name === "guests" ? { audience: false, guests: false } : {};
      useStage.setState({ ...half, [name]: on });
      if (name === "blurred") send({ type: "blur", on });
      if (name === "offline") send({ type: "offline", on });
      return undefined;
    },
    /** Closes the QR code and the room. */
    closeHalf: (): void => useStage.setState({ audience: false, guests: false }),
    /** Resets the stage to its initial state, except for blurring. */
    reset: async (): Promise<Declined> => {
      const since = cache.getQueryData(ownRequests(appId).queryKey)?.items[0]?.at ?? "";
      useStage.setState(({ blurred, keysStay, address, earlier, at, beganAt }) => {
        return { ...BEGINNING, blurred, keysStay, address, earlier, at, beganAt, since };
      });
      send({ type: "reset" });
      // An app that is gone is made again at once.
      resetting = resetStageApp(stage).catch((error: unknown) => isGone(error) || complain(error));
      await resetting;
      return undefined;
    },
  };
};

/** @see actsOf */
export type Acts = ReturnType<typeof actsOf>;
