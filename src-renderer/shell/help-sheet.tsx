import { Kbd, Switch } from "@mantine/core";
import { Dialog } from "../ui/dialog.tsx";
import { useSingleKeys } from "../ui/keys.ts";
import classes from "./help-sheet.module.css";
import { type NotifyState, useNotify } from "./notify.ts";
import { PALETTE_KEYS } from "./palette.tsx";

const KEYS: readonly (readonly [keys: readonly string[], does: string])[] = [
  [["j", "k"], "Down and up the list; so do the arrows"],
  [["Enter"], "Open the row"],
  [["Esc"], "Close the detail, back to the list"],
  [["c"], "Copy the code of the row, or the session's token"],
  [["e"], "Let it expire now; edit the profile"],
  [["r"], "Revoke the session"],
  [["n"], "New profile, connection, app, fault or snapshot"],
  [["x", "X"], "Select a profile; all from the last one to this"],
  [["#", "u"], "Delete profiles, turn off faults; put them back"],
  [["f", "u"], "Freeze the clock, or let it run; undo"],
  [["u"], "Undo the last import, reset or restore"],
  [["/"], "Search"],
  [[PALETTE_KEYS], "All commands, by typing"],
  [["?"], "This sheet"],
];

const NOTIFY_WORDS: Readonly<Record<NotifyState, string>> = {
  on: "For each code that comes while you look elsewhere, at most one every two seconds.",
  off: "For each code that comes while you look elsewhere. The browser asks once.",
  refused: "The browser refuses them for this page; its settings of this site can allow them.",
  none: "This browser has none to give to this page.",
};

/** The shortcuts, the switch that turns the single keys off, and the one that turns notifications on. */
export const HelpSheet = () => {
  const [notifyState, setNotify] = useNotify();
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
      <Switch
        className={classes.second ?? ""}
        label="Desktop notifications with the code"
        description={NOTIFY_WORDS[notifyState]}
        disabled={notifyState === "none" || notifyState === "refused"}
        checked={notifyState === "on"}
        onChange={(event) => void setNotify(event.currentTarget.checked)}
      />
    </Dialog>
  );
};
