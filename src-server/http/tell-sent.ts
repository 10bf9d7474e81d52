/** Tells others of a message to a user. */
import type { AppRecord, PasscodeRecord } from "#contract/records.ts";
import type { Deps } from "./deps.ts";

/** Calls the hook `sent` once the passcode is durable; not at all if the disk fails. */
export const tellSent = (
  { store, hooks }: { readonly store: Pick<Deps["store"], "durable">; readonly hooks: Pick<Deps["hooks"], "sent"> },
  app: AppRecord,
  passcode: PasscodeRecord,
): void => {
  if (hooks.sent.length === 0) return;
  const tell = (): void => {
    for (const hear of hooks.sent) hear(app, passcode);
  };
  const durable = store.durable();
  if (durable === undefined) tell();
  else durable.then(tell, () => undefined);
};
