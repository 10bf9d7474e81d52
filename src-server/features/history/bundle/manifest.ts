/** A login as one file, opened elsewhere; explorations, opened. */

import { z } from "zod";
import { control, answersOk as ok } from "#contract/control/rows.ts";
import { explored } from "#contract/documents/explorations.ts";
import { loginBundle } from "./contract/bundles.ts";

/** Response of GET exploration. */
const openedExploration = z.object({ exploration: explored.nullable() });

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    requestBundle: control("GET", "requests/:id/bundle",
      "Download the login of a request: requests, codes, user, settings, clock and faults, secrets masked",
      ok(loginBundle), { bound: "row" }),
    openedExploration: control("GET", "exploration",
      "The exploration that `stagedoor open FILE` shows; null if it shows none", ok(openedExploration)),
  },
  tags: { exploration: "The result of `stagedoor explore`, opened." },
  types: {
    Exploration: [explored, "The result of `stagedoor explore`: a matrix of steps by kinds of failure."],
    LoginBundle: [loginBundle, "Everything about one login: the file that `stagedoor open` shows."],
  },
} as const;
