/** Tells others of a message to a user. */
import type { AppRecord, PasscodeRecord } from "#contract/service/records.ts";
import type { Deps } from "./deps.ts";

interface Telling extends Pick<Deps, "listeners"> {
  readonly store: Pick<Deps["store"], "durable">;
  readonly ports: Pick<Deps["ports"], "devices">;
}

/** Delivers to devices once the passcode is durable; not at all if the disk fails. */
export const tellSent = ({ store, ports, listeners }: Telling, app: AppRecord, passcode: PasscodeRecord): void => {
  const tell = (): void => listeners.call("The delivery to devices", () => ports.devices.deliver(app, passcode));
  const durable = store.durable();
  if (durable === undefined) tell();
  else durable.then(tell, () => undefined);
};
