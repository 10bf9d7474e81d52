/** What can be done with a user in one click: the same in the palette, the row's menu and the detail. */
import type { Passcode, Profile } from "#client/index.ts";
import { requestPasscode, saveProfile } from "../../api/actions.ts";
import { shownName } from "../../api/queries.ts";
import { announce } from "../../ui/action.tsx";
import { revokeAllOf } from "./end-session.tsx";
import { copyTokenOf, createSessionFor } from "./session-state.tsx";

/** Locks a user out by the scenario, or takes the scenario away. */
const lock = async (user: Profile, isOn: boolean): Promise<void> => {
  await saveProfile(user, { scenario: isOn ? "locked" : null });
  announce(`${isOn ? "Locked" : "Unlocked"} ${shownName(user.name)}`);
};

interface UserAction {
  readonly id: string;
  /** In a menu. */
  readonly label: string;
  /** Before the user's name, in the palette. */
  readonly verb: string;
  readonly act: () => Promise<unknown>;
}

/** @returns the actions for a user. @param onSent called with a sent code. */
export const userActions = (
  user: Profile,
  onSent: (code: Passcode) => void = () => undefined,
): readonly UserAction[] => {
  const { appId, userId, scenario } = user;
  const isLocked = scenario === "locked";
  const word = isLocked ? "Unlock" : "Lock";
  return [
    {
      id: "send",
      label: "Send a code",
      verb: "Send a code to",
      act: () => requestPasscode(appId, userId).then(onSent),
    },
    { id: "sign-in", label: "Sign in without a code", verb: "Sign in as", act: () => createSessionFor(user) },
    { id: "token", label: "Copy a token", verb: "Copy a token of", act: () => copyTokenOf(user) },
    { id: "lock", label: word, verb: word, act: () => lock(user, !isLocked) },
    { id: "revoke", label: "Revoke sessions", verb: "Revoke sessions of", act: () => revokeAllOf(user) },
  ];
};
