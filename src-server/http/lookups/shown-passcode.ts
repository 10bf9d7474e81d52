/** A passcode as the control API shows it. */
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import { passcodeItem } from "#domain/passcodes.ts";
import type { Env } from "#domain/world.ts";
import type { DevicesPort } from "../ports.ts";
import type { Found } from "./select.ts";

/** @returns the profile that a passcode is for; undefined if it was deleted. */
export const userOfPasscode = ({ app, record }: Found<"passcodes">) => app.find("profiles", record.userId);

/** @returns the passcode, with its deliveries to devices. */
export const shownPasscode = (devices: DevicesPort, found: Found<"passcodes">, env: Pick<Env, "now">): PasscodeItem => {
  const { app, record } = found;
  return passcodeItem(
    app.app.appId,
    record,
    userOfPasscode(found),
    env.now(app.app.appId),
    devices.devicesOf(record.id),
  );
};
