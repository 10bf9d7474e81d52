import { Link } from "wouter";
import { many } from "#contract/words/words.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { useAddress } from "../../ui/address.ts";

/** Shows that faults are active, in any app, so that a wrong response is no surprise. */
export const FaultsMark = () => {
  const { address, hrefTo } = useAddress();
  const on = useFaults().filter((fault) => isOn(fault) && fault.weather === undefined);
  if (on.length === 0) return null;
  // If none of them applies to the current app, show them for all apps.
  const app = on.some(({ match }) => match.appId === undefined || match.appId === address.app) ? address.app : null;
  return (
    <Link className="warn" href={hrefTo("simulate", { app })}>
      {many(on.length, "fault")} on
    </Link>
  );
};
