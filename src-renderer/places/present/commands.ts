import { navigate } from "wouter/use-browser-location";
import { useAddress } from "../../ui/address.ts";
import type { Command } from "../../ui/palette-store.ts";

/** Opens Present from the palette. */
export const usePresentCommands = (): readonly Command[] => {
  const { app } = useAddress().address;
  const query = app === null ? "" : `?appId=${encodeURIComponent(app)}`;
  return [{ id: "present", title: "Present a login", run: () => navigate(`/stage${query}`) }];
};
