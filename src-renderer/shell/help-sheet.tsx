import { Group, Kbd, Switch } from "@mantine/core";
import { SAVE_KEYS } from "../ui/keys.ts";
import { Fact, Facts } from "../ui/parts.tsx";
import { useSettings } from "../ui/settings.ts";
import { PALETTE_KEYS } from "./palette-store.ts";
import { type NotifyState, useNotify } from "./use-live.ts";

const KEYS: Readonly<Record<string, string>> = {
  "j,k": "Next and previous row; arrows work too",
  Enter: "Open the row",
  Esc: "Close the panel",
  c: "Copy the code, or the session’s token",
  e: "Expire the code or session; edit the profile",
  r: "Revoke the session",
  n: "New profile, session, connection, app, fault or snapshot",
  "x,X": "Select a profile; extend the selection",
  "#": "Delete profiles, turn off faults",
  m: "Edit the profile’s metadata; Esc leaves the field",
  i: "Open Import (on Fixtures); press again to type into it",
  [SAVE_KEYS]: "Save the form, import the data",
  f: "Freeze or resume the clock",
  z: "Rewind the user to before a step of a login",
  u: "Undo the last change",
  "/": "Search",
  [PALETTE_KEYS]: "Command palette",
  "?": "This help",
};

const NOTIFY_WORDS: Readonly<Record<NotifyState, string>> = {
  on: "For codes that arrive while this page is in the background, at most one every 2 s.",
  off: "For codes that arrive while this page is in the background. The browser asks once.",
  refused: "Blocked by the browser. Allow notifications in its settings for this site.",
  none: "Not available in this browser.",
  desktop: "The desktop app shows them: menu Codes, Notify About New Codes.",
};

/** The shortcuts, and switches for single keys and notifications. */
export const HelpSheet = () => {
  const [notifyState, setNotify] = useNotify();
  const { singleKeys } = useSettings();
  return (
    <>
      <Facts names={72} ruled>
        {Object.entries(KEYS).map(([keys, does]) => {
          const name = keys.split(",").map((key) => <Kbd key={key}>{key}</Kbd>);
          return (
            <Fact key={does} name={<Group gap={4}>{name}</Group>}>
              {does}
            </Fact>
          );
        })}
      </Facts>
      <Switch
        mt={16}
        label="Single-key shortcuts"
        description="Turn off for voice input. Arrows, Enter and Esc keep working."
        checked={singleKeys}
        onChange={(event) => useSettings.setState({ singleKeys: event.currentTarget.checked })}
      />
      <Switch
        mt={16}
        label="Desktop notifications with the code"
        description={NOTIFY_WORDS[notifyState]}
        disabled={notifyState !== "on" && notifyState !== "off"}
        checked={notifyState === "on"}
        onChange={(event) => void setNotify(event.currentTarget.checked)}
      />
    </>
  );
};
