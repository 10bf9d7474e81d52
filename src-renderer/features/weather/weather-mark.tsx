import { UnstyledButton } from "@mantine/core";
import classes from "../../shell/shell.module.css";
import { complain } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { concerns } from "../faults/fault-words.ts";
import { useFaults } from "../faults/queries.ts";

/** Shows that the weather is not calm; a click says more, and turns it off. */
export const WeatherMark = () => {
  const { address } = useAddress();
  const on = useFaults().filter((fault) => concerns(fault, address.app));
  const names = [...new Set(on.flatMap(({ weather }) => (weather === undefined ? [] : [weather.name])))];
  const open = (): void => void import("./weather-dialog.tsx").then((it) => it.openWeatherDialog(), complain);
  return (
    names.length > 0 && (
      <UnstyledButton className={classes["mark"] ?? ""} aria-label={`Weather: ${names.join(", ")}`} onClick={open}>
        <span className="mantine-visible-from-sm">Weather: </span>
        {names.join(", ")}
      </UnstyledButton>
    )
  );
};
