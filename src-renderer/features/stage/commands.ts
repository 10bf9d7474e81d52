import { navigate } from "wouter/use-browser-location";
import { useAddress } from "../../ui/address.ts";
import type { Command } from "../../ui/palette-store.ts";

/** Opens the stage from the palette. */
export const useStageCommands = (): readonly Command[] => {
  const { app } = useAddress().address;
  const query = app === null ? "" : `?appId=${encodeURIComponent(app)}`;
  return [{ id: "stage", title: "Show a login on the stage", run: () => navigate(`/stage${query}`) }];
};
