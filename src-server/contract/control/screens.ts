/** The pages of the console: `/<screen>` and `/<screen>/<id>`; and where the pages of older versions are now. */

/** The places of the rail, in order. */
export const PLACES = ["codes", "users", "requests", "simulate", "setup"] as const;
export type RailPlace = (typeof PLACES)[number];

/** All pages, by their path; a place's own page is its first tab. `mini` (a small window) and `stage` have no frame. */
export const SCREENS = [
  "codes",
  "users",
  "users/sessions",
  "users/connections",
  "requests",
  "requests/outcomes",
  "requests/exploration",
  "simulate",
  "simulate/clock",
  "setup",
  "setup/apps",
  "setup/data",
  "setup/keys",
  "mini",
  "stage",
] as const;
/** A page of the console. */
export type Screen = (typeof SCREENS)[number];

/** The pages of older versions: with their `show`, where that was its own page. */
const MOVED: ReadonlyMap<string, Screen> = new Map<string, Screen>([
  ["inbox", "codes"],
  ["profiles", "users"],
  ["sessions", "users/sessions"],
  ["sessions?keys", "setup/keys"],
  ["connections", "users/connections"],
  ["requests?logins", "codes"],
  ["coverage", "requests/outcomes"],
  ["coverage?exploration", "requests/exploration"],
  ["connect", "setup"],
  ["apps", "setup/apps"],
  ["fixtures", "setup/data"],
  ["clock", "simulate/clock"],
  ["faults", "simulate"],
]);

/** @param target a path with its query. @returns where the page is now, with id, app and filters; undefined: there. */
export const movedTo = (target: string): string | undefined => {
  const [path = "", query = ""] = target.split("?", 2);
  const [, name = "", id = "", more] = path.split("/");
  const terms = query.split("&").filter((term) => term !== "");
  const show = terms.find((term) => term.startsWith("show="))?.slice("show=".length);
  const part = MOVED.get(`${name}?${show}`);
  const screen = part ?? MOVED.get(name);
  if (screen === undefined || more !== undefined) return undefined;
  const rest = part === undefined ? terms : terms.filter((term) => term !== `show=${show}`);
  return `/${screen}${id === "" ? "" : `/${id}`}${rest.length > 0 ? `?${rest.join("&")}` : ""}`;
};
