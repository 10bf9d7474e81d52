import type { Passcode } from "#client/index.ts";
import { expirePasscode } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce, complain, openDialog } from "../../ui/action.tsx";
import { keepUndo } from "../../ui/undo.tsx";

/** Expires an active code. Undo imports the previous record. */
export const expireUndoably = async ({ appId, status: _, devices: _devices, ...record }: Passcode): Promise<void> => {
  await expirePasscode(record.id);
  announce("Code expired");
  keepUndo({
    label: "Last expired code",
    home: "inbox",
    words: `Expired code ${record.code}.`,
    note: "Undo makes it valid again.",
    back: async () => {
      const passcodes = [{ ...record, state: "active" as const }];
      await emulator.state.import({ version: 1, apps: [{ appId, passcodes }] });
      return "Code restored";
    },
  });
};

/** Sends a passcode to a chosen or new user, as the app would. The dialog loads after the first view. */
export const openSendDialog = (): void =>
  void import("./beside.tsx").then(({ Recipients }) => openDialog("Send a code to", <Recipients />), complain);
