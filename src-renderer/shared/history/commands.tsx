import { openDialog } from "../../ui/action.tsx";
import type { Command } from "../../ui/palette-store.ts";
import { History } from "./history.tsx";

/** What the palette does with what was done. */
export const useHistoryCommands = (): readonly Command[] => [
  {
    id: "history",
    title: "History",
    run: () => openDialog("History", <History />),
    hint: "changes made here, with Undo",
  },
];
