/** A login as one file, opened elsewhere or compared with another (CONTRACT 13 and 20). */
import { frozen } from "#contract/frozen.ts";
import { control, answersOk as ok } from "#contract/rows.ts";
import { loginBundle } from "./contract/bundles.ts";

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = frozen({
  title: "Logins as files: download, open, compare",
  page: "failed-logins.md",
  routes: {
    requestBundle: control("GET", "requests/:id/bundle",
      "Download the login of a request: requests, codes, user, settings, clock and faults, secrets masked",
      ok(loginBundle), { bound: "row" }),
  },
  types: {
    LoginBundle: [loginBundle, "Everything about one login: the file that `stagedoor open` shows."],
  },
} as const);
