/** The control API: a login as one download. */
import type { Setup } from "#features/kernel.ts";
import { notFound, ok } from "#http/lookups/select.ts";
import { createLoginBundle } from "./login-bundle.ts";

export const setup: Setup<"bundle"> = (kernel) => {
  const bundleOf = createLoginBundle(kernel);
  return {
    openedExploration: () => ok({ exploration: kernel.started.seen?.exploration ?? null }),
    requestBundle: ({ world, params }) => {
      const bundle = bundleOf(world, params["id"] ?? "");
      if (bundle === undefined) throw notFound("request", params["id"] ?? "");
      return ok(bundle);
    },
  };
};
