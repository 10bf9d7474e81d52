/** Rewinds a user to the moment before a step of a login, which can be undone. */
import { serverTime } from "../../api/clock.ts";
import { emulator } from "../../api/emulator.ts";
import { announce, TextButton, useAction } from "../../ui/action.tsx";
import { useKeys } from "../../ui/keys.ts";
import { offerInstead, offerMore } from "../history/undo-band.tsx";
import type { Cut } from "./film.ts";
import type { OfStep, StoryStep } from "./stories.ts";
import { useFilm } from "./use-film.ts";

/** @returns whether a code or a session was valid before the step, and its lifetime has ended since. */
const hasEnded = ({ appId, step: { item, at }, before: { passcode, sessions } }: Cut): boolean => {
  const thenMs = Date.parse(item?.at ?? at ?? "");
  const nowMs = serverTime(appId, Date.now());
  const ended = ({ expiresAt }: { readonly expiresAt: string }): boolean =>
    Date.parse(expiresAt) > thenMs && Date.parse(expiresAt) <= nowMs;
  return (
    (passcode?.status === "active" && ended(passcode)) ||
    sessions.some((session) => session.state === "active" && ended(session))
  );
};

/** @returns the moment right before a step. */
const momentOf = ({ requestId, item }: StoryStep) =>
  requestId === null ? { to: (item?.seq ?? 0) - 1 } : { before: requestId };

/** Rewinds. @throws StagedoorError 409, 410 */
const rewindBefore = async (cut: Cut): Promise<void> => {
  const { appId, userId, step } = cut;
  const order = { appId, userId, ...momentOf(step) };
  const moment = `before “${[step.title, step.typed].filter(Boolean).join(" ")}”`;
  const turnClock = async (): Promise<void> => {
    await emulator.rewind({ ...order, clock: "then" });
    announce(`Rewound to ${moment}, and turned the clock back.`);
  };
  const { seq, changed } = await emulator.rewind(order);
  const more = hasEnded(cut) ? { label: "And turn the clock back", act: turnClock } : undefined;
  if (Object.values(changed).every((count) => count === 0)) {
    // Only time has passed.
    const words = `Already there: nothing has changed since ${moment}.`;
    announce(words);
    offerInstead(words, more);
    return;
  }
  announce(`Rewound to ${moment}.`);
  if (more) offerMore(seq, more);
};

/** @returns whether a step can be rewound. */
const canRewind = ({ step: { item, requestId }, oldestSeq, newest }: Cut): boolean =>
  (item !== undefined || requestId !== null) && oldestSeq <= (newest?.seq ?? oldestSeq);

/** Rewinds the user to before a step of a login. */
export const RewindButton = ({ story, step }: OfStep) => {
  const cut = useFilm(story).cutOf(step);
  const { busy, run } = useAction(rewindBefore);
  const possible = cut !== undefined && canRewind(cut);
  // As long as the button is shown, whatever has the focus.
  useKeys({ z: () => possible && run(cut) });
  return possible && <TextButton loading={busy} keys="z" label="Rewind to before this" onClick={() => run(cut)} />;
};
