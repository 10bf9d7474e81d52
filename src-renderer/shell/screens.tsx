import type { Screen } from "#contract/control/screens.ts";

interface About {
  readonly word: string;
  /** Placeholder of the search; absent: no search. */
  readonly search?: string;
  /** An SVG path in a 16 by 16 box, stroked. */
  readonly icon: string;
}

/** The frame's texts and icon of each screen. */
export const SCREEN_WORDS: Readonly<Record<Screen, About>> = {
  inbox: {
    word: "Inbox",
    search: "Search codes and users",
    icon: "M2 9.5 4 3h8l2 6.5V13H2V9.5Zm0 0h3.5L6.5 11h3l1-1.5H14",
  },
  sessions: {
    word: "Sessions",
    search: "Search sessions and users",
    icon: "M3.5 7h9v6.5h-9V7Zm2 0V5a2.5 2.5 0 0 1 5 0v2",
  },
  profiles: {
    word: "Profiles",
    search: "Search names, phones, metadata",
    icon: "M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-5 6a5 4 0 0 1 10 0",
  },
  connections: {
    word: "Connections",
    search: "Search connections and users",
    icon: "M6.5 9.5l3-3M7 4.5l1.5-1.5a3.2 3.2 0 0 1 4.5 4.5L11.5 9M9 11.5 7.5 13A3.2 3.2 0 0 1 3 8.5L4.5 7",
  },
  requests: {
    word: "Requests",
    search: "Filter, for example status:401 or method:PUT",
    icon: "M2.5 4h11M2.5 8h11M2.5 12h7",
  },
  coverage: { word: "Coverage", icon: "M2.5 3.5 4 5l2-2.5M8.5 4h5M2.5 8.5 4 10l2-2.5M8.5 9h5M8.5 13h5" },
  connect: { word: "Connect", icon: "M5 1.5h6v13H5v-13ZM7.5 12.5h1" },
  apps: {
    word: "Apps",
    search: "Search apps",
    icon: "M2.5 2.5h4.5V7H2.5V2.5Zm6.5 0h4.5V7H9V2.5ZM2.5 9h4.5v4.5H2.5V9ZM9 9h4.5v4.5H9V9Z",
  },
  fixtures: {
    word: "Fixtures",
    icon: "M3 4c0-1 2.2-1.8 5-1.8S13 3 13 4s-2.2 1.8-5 1.8S3 5 3 4Zm0 0v8c0 1 2.2 1.8 5 1.8s5-.8 5-1.8V4M3 8c0 1 2.2 1.8 5 1.8S13 9 13 8",
  },
  clock: { word: "Clock", icon: "M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12ZM8 4.5V8l2.5 1.5" },
  faults: { word: "Faults", search: "Search faults", icon: "M9 1.5 3 9h4l-.5 5.5L13 7H8.5L9 1.5Z" },
  // Pages of their own, in no menu.
  mini: { word: "Newest code", icon: "" },
  stage: { word: "Stage", icon: "" },
};

/** The icon of a screen. */
export const Icon = ({ screen }: { readonly screen: Screen }) => (
  <svg
    width="16"
    height="16"
    fill="none"
    stroke="currentcolor"
    strokeWidth="1.4"
    strokeLinejoin="round"
    strokeLinecap="round"
    aria-hidden="true"
  >
    <path d={SCREEN_WORDS[screen].icon} />
  </svg>
);
