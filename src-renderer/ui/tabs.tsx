import type { ReactNode } from "react";
import { Link } from "wouter";
import type { RailPlace, Screen } from "#contract/control/screens.ts";
import { railPlaceOf, useAddress } from "./address.ts";
import classes from "./tabs.module.css";

/** The tabs of each place, in order; a place without any is one screen. */
const TABS: Readonly<Record<RailPlace, readonly (readonly [screen: Screen, word: string])[]>> = {
  codes: [],
  users: [
    ["users", "Users"],
    ["users/sessions", "Sessions"],
    ["users/connections", "Connections"],
  ],
  requests: [
    ["requests", "Log"],
    ["requests/outcomes", "Outcomes"],
    ["requests/exploration", "Exploration"],
  ],
  simulate: [
    ["simulate", "Failures"],
    ["simulate/clock", "Clock"],
  ],
  setup: [
    ["setup", "Connect"],
    ["setup/apps", "Apps"],
    ["setup/data", "Data"],
    ["setup/keys", "Keys"],
  ],
};

interface TabsProps {
  readonly label: string;
  /** In a bar of their own, not in that of the screen. */
  readonly isAlone?: boolean;
  /** Name and address of each; a count is dimmed. */
  readonly of: readonly {
    readonly word: string;
    readonly href: string;
    readonly chosen: boolean;
    readonly count?: ReactNode;
  }[];
}

/** Parts of a place or of a detail, one of which is shown: links, with a line below the chosen one. */
export const Tabs = ({ label, isAlone = false, of }: TabsProps) => (
  <nav className={classes["tabs"]} aria-label={label} data-alone={isAlone || undefined}>
    {of.map(({ word, href, chosen, count }) => (
      <Link key={word} href={href} aria-current={chosen ? "true" : undefined}>
        {word}
        {count !== undefined && <span className="dim small">{count}</span>}
      </Link>
    ))}
  </nav>
);

/** The tabs of the place that is shown; nothing if it has none. */
export const PlaceTabs = () => {
  const { address, hrefTo } = useAddress();
  const place = railPlaceOf(address.screen);
  const tabs = place === undefined ? [] : TABS[place];
  if (tabs.length === 0) return null;
  const of = tabs.map(([screen, word]) => ({ word, href: hrefTo(screen), chosen: screen === address.screen }));
  return <Tabs label="Parts" of={of} />;
};
