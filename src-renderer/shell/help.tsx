import { complain, openDialog } from "../ui/action.tsx";

/** Opens the sheet of shortcuts and settings, which is not in the first view. */
export const openHelp = (): void =>
  void import("./help-sheet.tsx").then(({ HelpSheet }) => openDialog("Keyboard", <HelpSheet />), complain);
