import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { passcodesQuery } from "../api/queries.ts";
import { statusAt } from "../features/inbox/passcode-status.ts";
import { SCREENS, type Screen, useAddress } from "../ui/address.ts";
import { useNow } from "../ui/now.ts";
import classes from "./rail.module.css";
import { SCREEN_WORDS } from "./screen-words.ts";
import { ThemeSwitch } from "./theme-switch.tsx";

const SET_UP: readonly Screen[] = ["connect"];

const ActiveCodes = () => {
  const { address } = useAddress();
  const { data } = useQuery(passcodesQuery(address.app));
  const now = useNow(address.app);
  const active = data?.items.filter((passcode) => statusAt(passcode, now) === "active").length ?? 0;
  if (active === 0) return null;
  return (
    <>
      <span className={classes.count} aria-hidden="true">
        {active}
      </span>
      <span className="spoken">{active === 1 ? ", 1 active code" : `, ${active} active codes`}</span>
    </>
  );
};

/** The screens: what is live above, set-up below. */
export const Rail = () => {
  const { address, hrefWith } = useAddress();
  return (
    <nav className={classes.rail} aria-label="Screens">
      <ul>
        {SCREENS.map((screen) => (
          <li key={screen}>
            {screen === SET_UP[0] && <h2 className={classes.heading}>Set up</h2>}
            <Link
              href={hrefWith({ screen, id: null, show: null, q: "" })}
              className={classes.link}
              aria-current={address.screen === screen ? "page" : undefined}
            >
              {SCREEN_WORDS[screen]}
              {screen === "inbox" && <ActiveCodes />}
            </Link>
          </li>
        ))}
      </ul>
      <ThemeSwitch />
    </nav>
  );
};
