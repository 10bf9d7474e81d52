/** One Stagedoor for many jobs, on the server. */
import { forgetRowsOf } from "#http/gone-rows.ts";
import type { Setup } from "#http/kits.ts";
import { admitWith } from "./tokens.ts";

/** @see the file */
export const setup: Setup<"sharing"> = (kernel) => {
  const { joinToken } = kernel.started;
  if (joinToken !== null) kernel.hooks.admits.push(admitWith(joinToken, kernel));
  // An app of a bound token is gone with all its data.
  forgetRowsOf(kernel, ({ joined }) => joined);
  return {};
};
