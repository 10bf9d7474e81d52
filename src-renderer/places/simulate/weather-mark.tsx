import { UnstyledButton } from "@mantine/core";
import { useFaults } from "../../api/faults.ts";
import { concerns } from "../../shared/fault/fault-words.ts";
import { complain } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";

/** Shows that the weather is not calm; a click says more, and turns it off. */
export const WeatherMark = () => {
  const { address } = useAddress();
  const on = useFaults().filter((fault) => concerns(fault, address.app));
  const names = [...new Set(on.flatMap(({ weather }) => (weather === undefined ? [] : [weather.name])))];
  const open = (): void => void import("./weather-dialog.tsx").then((it) => it.openWeatherDialog(), complain);
  return (
    names.length > 0 && (
      <UnstyledButton className="warn" aria-label={`Weather: ${names.join(", ")}`} onClick={open}>
        <span className="mantine-visible-from-sm">Weather: </span>
        {names.join(", ")}
      </UnstyledButton>
    )
  );
};
