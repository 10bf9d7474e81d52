import { complain, openDialog } from "../../ui/action.tsx";

/** Sends a passcode to a chosen or new user, as the app would. The dialog loads after the first view. */
export const openSendDialog = (): void =>
  void import("./recipients.tsx").then(({ Recipients }) => openDialog("Send a code to", <Recipients />), complain);
