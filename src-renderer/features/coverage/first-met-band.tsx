import { counted } from "#contract/words/words.ts";
import { TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Strip } from "../../ui/strip.tsx";
import { useFirstMet } from "./first-met.ts";

const SHOWN = 3;

/** Says once which outcomes of a login the app has just met for the first time. */
export const FirstMetBand = () => {
  const { address, hrefTo } = useAddress();
  const met = useFirstMet((state) => state.met);
  const here = met.filter(({ appId }) => address.app === null || appId === address.app);
  const titles = [...new Set(here.map(({ title }) => title))].reverse();
  if (titles.length === 0) return null;
  const more = titles.length - SHOWN;
  const dismiss = (): void => useFirstMet.setState({ met: met.filter((one) => !here.includes(one)) });
  return (
    <Strip
      label="First met"
      words={
        <span role="status">
          New in login coverage: <strong>{titles.slice(0, SHOWN).join(", ")}</strong>
          {more > 0 && ` and ${counted(more)} more`}
        </span>
      }
    >
      <TextButton href={hrefTo("coverage")} onClick={dismiss} label="Show coverage" />
      <TextButton onClick={dismiss} label="Dismiss" />
    </Strip>
  );
};
