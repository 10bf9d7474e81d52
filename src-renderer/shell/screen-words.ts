import type { Screen } from "../ui/address.ts";

/** What the screens are called. */
export const SCREEN_WORDS: Readonly<Record<Screen, string>> = {
  inbox: "Inbox",
  sessions: "Sessions",
  profiles: "Profiles",
  connections: "Connections",
  requests: "Requests",
  connect: "Connect",
  apps: "Apps",
  fixtures: "Fixtures",
  clock: "Clock",
  faults: "Faults",
};

/** What the search looks for; a screen that is not here has none. */
export const SEARCH_WORDS: Readonly<Partial<Record<Screen, string>>> = {
  inbox: "Search codes and people",
  sessions: "Search sessions and people",
  profiles: "Search names, numbers, metadata",
  connections: "Search connections and people",
  requests: "Filter, such as status:401 or method:PUT",
  apps: "Search apps",
  faults: "Search faults",
};
