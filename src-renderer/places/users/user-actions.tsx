/** What can be done with a user in one click: the same in the palette, the row and the detail. */
import type { Passcode, Profile } from "#client/index.ts";
import { requestPasscode, saveProfile } from "../../api/actions.ts";
import { shownName } from "../../api/queries.ts";
import { announce } from "../../ui/action.tsx";
import type { RowAction } from "../../ui/row-actions.tsx";
import { copyTokenOf, createSessionFor, revokeAllOf } from "./session-state.tsx";

/** Locks a user out by the scenario, or takes the scenario away. */
const lock = async (user: Profile, isOn: boolean): Promise<void> => {
  await saveProfile(user, { scenario: isOn ? "locked" : null });
  announce(`${isOn ? "Locked" : "Unlocked"} ${shownName(user.name)}`);
};

interface UserAction extends RowAction {
  readonly name: string;
  readonly id: string;
  readonly act: () => Promise<unknown>;
}

/** @returns the actions for a user; the first one is the most usual. @param onSent called with a sent code. */
export const userActions = (user: Profile, onSent: (code: Passcode) => void = () => undefined) => {
  const { appId, userId, scenario } = user;
  const name = shownName(user.name);
  const isLocked = scenario === "locked";
  const word = isLocked ? "Unlock" : "Lock";
  const send: UserAction = {
    id: "send",
    label: "Send code",
    name: `Send code to ${name}`,
    act: async () => {
      const { href } = window.location;
      const code = await requestPasscode(appId, userId);
      // An answer that comes late leads nowhere.
      if (window.location.href === href) onSent(code);
    },
  };
  const others: readonly UserAction[] = [
    { id: "sign-in", label: "Sign in", name: `Sign in as ${name}`, act: () => createSessionFor(user) },
    { id: "token", label: "Copy token", name: `Copy token of ${name}`, act: () => copyTokenOf(user) },
    { id: "lock", label: word, name: `${word} ${name}`, act: () => lock(user, !isLocked) },
    { id: "revoke", label: "Revoke sessions", name: `Revoke sessions of ${name}`, act: () => revokeAllOf(user) },
  ];
  return [send, ...others] as const;
};
