import { complain } from "../../ui/announcer.tsx";
import { openDialog } from "../../ui/dialogs.tsx";

/** Chooses a user, or makes one, and sends a passcode, as the app would. The dialog is beside the first view. */
export const openSendDialog = (): void =>
  void import("./dialogs.tsx").then(({ Recipients }) => openDialog("Send a test code to", <Recipients />), complain);
