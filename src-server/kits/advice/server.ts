import type { Setup } from "#http/kits.ts";
import { Advisor } from "./advisor.ts";

/** Gives each row its advice. */
export const setup: Setup<"advice"> = ({ store, hooks }) => {
  const advisor = new Advisor(store);
  hooks.advises.push((row) => advisor.advise(row));
  return {};
};
