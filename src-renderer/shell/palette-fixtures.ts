import { useAddress } from "../ui/address.ts";
import type { Command } from "./command.ts";

/** What can be done on the screen of fixtures: title, and the part and place of it where that is done. */
const WAYS: readonly (readonly [id: string, title: string, show: string | null, place: string | null])[] = [
  ["fixtures:export", "Export a file of fixtures", null, null],
  ["fixtures:import", "Import a file of fixtures", "import", null],
  ["fixtures:reset", "Reset to the fixtures", "import", null],
  ["fixtures:generate", "Generate users", "generate", null],
  ["fixtures:save", "Save a snapshot", "snapshots", "new"],
  ["fixtures:snapshots", "Restore a snapshot", "snapshots", null],
];

/** @returns the ways to export, import, generate and snapshots. */
export const useFixtureCommands = (): readonly Command[] => {
  const { go } = useAddress();
  return WAYS.map(([id, title, show, place]) => ({
    id,
    title,
    run: () => go({ screen: "fixtures", show, id: place, q: "" }),
  }));
};
