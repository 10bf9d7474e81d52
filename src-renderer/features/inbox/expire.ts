import type { Passcode } from "#client/index.ts";
import { expirePasscode } from "../../api/actions.ts";
import { emulator } from "../../api/emulator.ts";
import { announce } from "../../ui/announcer.tsx";
import { keepUndo } from "../../ui/undo.tsx";

/** Expires an active code, which can be undone: an import writes the record as it was before. */
export const expireUndoably = async ({
  appId,
  status: _status,
  devices: _devices,
  ...record
}: Passcode): Promise<void> => {
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
