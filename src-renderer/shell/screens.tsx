import type { RailPlace, Screen } from "#contract/control/screens.ts";

interface About {
  readonly word: string;
  /** What `/` searches, for screen readers; absent: it has no list to narrow. */
  readonly search?: string;
}

/** The frame's texts of each screen. */
export const SCREEN_WORDS: Readonly<Record<Screen, About>> = {
  codes: { word: "Codes", search: "Search codes and users" },
  users: { word: "Users", search: "Search names, phones, metadata" },
  "users/sessions": { word: "Sessions", search: "Search sessions and users" },
  "users/connections": { word: "Connections", search: "Search connections and users" },
  requests: { word: "Requests", search: "Filter, for example status:401 or method:PUT" },
  "requests/outcomes": { word: "Outcomes" },
  "requests/exploration": { word: "Exploration" },
  simulate: { word: "Simulate" },
  "simulate/clock": { word: "Clock" },
  setup: { word: "Setup" },
  "setup/apps": { word: "Apps", search: "Search apps" },
  "setup/data": { word: "Data" },
  "setup/keys": { word: "Keys" },
  // Pages of their own, in no menu.
  mini: { word: "Newest code" },
  stage: { word: "Present" },
};

/** @returns where an app is presented; null: the first one. */
export const presentHref = (appId: string | null): string =>
  appId === null ? "/stage" : `/stage?appId=${encodeURIComponent(appId)}`;

/** SVG paths in a 16 by 16 box, stroked. */
const ICONS = {
  codes: "M2 9.5 4 3h8l2 6.5V13H2V9.5Zm0 0h3.5L6.5 11h3l1-1.5H14",
  users: "M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-5 6a5 4 0 0 1 10 0",
  requests: "M2.5 4h11M2.5 8h11M2.5 12h7",
  simulate: "M9 1.5 3 9h4l-.5 5.5L13 7H8.5L9 1.5Z",
  setup:
    "M2.5 4.5h6m4 0h1M10.5 6.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4ZM2.5 11.5h1m4 0h6M5.5 13.2a1.7 1.7 0 1 0 0-3.4 1.7 1.7 0 0 0 0 3.4Z",
  present: "M2 3h12v8H2V3Zm6 8v2.5M5 13.5h6",
  settings:
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v1.7m0 9v1.7M1.8 8h1.7m9 0h1.7M3.6 3.6l1.2 1.2m6.4 6.4 1.2 1.2m0-8.8-1.2 1.2m-6.4 6.4-1.2 1.2",
} satisfies Record<RailPlace | "present" | "settings", string>;

/** The icon of a place, or of what stands at the foot of the rail. */
export const Icon = ({ of }: { readonly of: keyof typeof ICONS }) => (
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
    <path d={ICONS[of]} />
  </svg>
);
