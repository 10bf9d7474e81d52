import { Link } from "wouter";
import { many } from "#contract/words/words.ts";
import { type OddClock, useClock, useOddClock } from "../../api/clock.ts";
import { isOn, useFaults } from "../../api/faults.ts";
import { useApps } from "../../api/queries.ts";
import { concerns } from "../../shared/fault/fault-words.ts";
import { useAddress } from "../../ui/address.ts";
import { exactWords, shiftWords } from "../../ui/words.ts";

/** @returns how a clock that is not real stands. */
export const oddWords = ({ offsetSeconds, frozenAt }: OddClock): string =>
  frozenAt === null ? shiftWords(offsetSeconds) : `frozen at ${exactWords(frozenAt)}`;

/** What is simulated, in the status line of every screen, so that it is no surprise. Each leads to where it is turned off. */
export const SimulatedMarks = () => {
  const { address, hrefTo } = useAddress();
  const hasClock = useClock(null) !== null;
  const odd = useOddClock(address.app);
  const { appName } = useApps();
  const faults = useFaults().filter(isOn);
  const on = faults.filter(({ weather }) => weather === undefined);
  const weather = new Set(
    faults.flatMap((fault) => (fault.weather && concerns(fault, address.app) ? [fault.weather.name] : [])),
  );
  // If none of them applies to the current app, all apps are shown.
  const app = on.some(({ match }) => match.appId === undefined || match.appId === address.app) ? address.app : null;
  const whose = odd !== null && address.app === null && odd.appId !== null && ` of ${appName(odd.appId)}`;
  return (
    <>
      {hasClock && (
        <Link
          className={odd === null ? "mantine-visible-from-sm" : "warn"}
          href={hrefTo("simulate/clock", { app: odd?.appId ?? address.app })}
        >
          {odd === null ? "Real time" : <bdi>{`Clock${whose || ""} ${oddWords(odd)}`}</bdi>}
        </Link>
      )}
      {weather.size > 0 && (
        <Link className="warn" href={hrefTo("simulate")}>
          Weather: {[...weather].join(", ")}
        </Link>
      )}
      {on.length > 0 && (
        <Link className="warn" href={hrefTo("simulate", { app })}>
          {many(on.length, "fault")} on
        </Link>
      )}
    </>
  );
};
