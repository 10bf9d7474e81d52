import { Kbd, Switch } from "@mantine/core";
import { Dialog } from "../ui/dialog.tsx";
import { useSingleKeys } from "../ui/keys.ts";
import classes from "./help-sheet.module.css";
import { PALETTE_KEYS } from "./palette.tsx";

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["j", "k"], "Down and up the list; so do the arrows"],
  [["Enter"], "Open the row"],
  [["Esc"], "Close the detail, back to the list"],
  [["c"], "Copy the code of the row, or the session's token"],
  [["e"], "Let it expire now"],
  [["r"], "Revoke the session"],
  [["/"], "Search"],
  [[PALETTE_KEYS], "All commands, by typing"],
  [["?"], "This sheet"],
];

/** The shortcuts, and the switch that turns the single keys off. */
export const HelpSheet = () => {
  const [singleKeys, setSingleKeys] = useSingleKeys();
  return (
    <Dialog name="help" title="Keyboard">
      <dl className={classes.keys}>
        {KEYS.map(([keys, does]) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <Switch
        label="Single keys are shortcuts"
        description="Turn off when you type by voice. Arrows, Enter and Esc stay."
        checked={singleKeys}
        onChange={(event) => setSingleKeys(event.currentTarget.checked)}
      />
    </Dialog>
  );
};
