import { Group, Kbd, SegmentedControl, Switch, useMantineColorScheme } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { PropsWithChildren } from "react";
import { statusQuery } from "../api/queries.ts";
import { type NotifyState, useNotify } from "../shared/arrival/use-live.ts";
import { LinkButton, openDialog } from "../ui/action.tsx";
import { SAVE_KEYS } from "../ui/keys.ts";
import { PALETTE_KEYS } from "../ui/palette-store.ts";
import { Fact, Facts } from "../ui/parts.tsx";
import { SCHEMES, useSettings } from "../ui/settings.ts";
import { useSettingsOpen } from "./settings-open.ts";

const KEYS: Readonly<Record<string, string>> = {
  "1,5": "Codes, Users, Requests, Simulate, Setup",
  [PALETTE_KEYS]: "Find users, codes, ids, places and commands",
  "/": "Narrow this list while typing",
  "j,k": "Next and previous row; arrows work too",
  Enter: "Open the row",
  Esc: "Close the detail; on Codes, follow the newest again",
  c: "Copy the code, or the session’s token",
  ".": "Show the newest code",
  e: "Expire the code or session; edit the profile",
  r: "Revoke the session",
  n: "New user, session, connection, app, fault or snapshot",
  "x,X": "Select a user; extend the selection",
  "#": "Delete users, turn off faults",
  m: "Edit the user’s metadata; Esc leaves the field",
  i: "Import; press again to type into it",
  [SAVE_KEYS]: "Save the form, import the data",
  f: "Freeze or resume the clock",
  z: "Rewind the user to before a step of a login",
  u: "Undo the last change",
  "?": "All shortcuts",
};

/** Opens the list of shortcuts. */
export const openShortcuts = (): void =>
  openDialog(
    "Keyboard",
    <Facts names={72} ruled>
      {Object.entries(KEYS).map(([keys, does]) => {
        const name = keys.split(",").map((key) => <Kbd key={key}>{key}</Kbd>);
        return (
          <Fact key={does} name={<Group gap={4}>{name}</Group>}>
            {does}
          </Fact>
        );
      })}
    </Facts>,
  );

const NOTIFY_WORDS: Readonly<Record<NotifyState, string>> = {
  on: "While this page is in the background.",
  off: "While this page is in the background. The browser asks once.",
  refused: "Blocked by the browser. Allow notifications in its settings for this site.",
  none: "Not available in this browser.",
  desktop: "The desktop app shows them: menu Codes, Notify About New Codes.",
};

const Line = ({ children }: PropsWithChildren) => (
  <Group justify="space-between" mih={40}>
    {children}
  </Group>
);

/** The settings of this browser. */
export const SettingsPanel = () => {
  const [notifyState, setNotify] = useNotify();
  const { singleKeys } = useSettings();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const { data: status } = useQuery(statusQuery());
  return (
    <>
      <Line>
        <span id="theme">Theme</span>
        <SegmentedControl
          aria-labelledby="theme"
          size="xs"
          withItemsBorders={false}
          data={[...SCHEMES]}
          value={colorScheme}
          onChange={setColorScheme}
        />
      </Line>
      <Switch
        py={8}
        label="Notify about new codes"
        description={NOTIFY_WORDS[notifyState]}
        disabled={notifyState !== "on" && notifyState !== "off"}
        checked={notifyState === "on"}
        onChange={(event) => void setNotify(event.currentTarget.checked)}
      />
      <Switch
        py={8}
        label="Single-key shortcuts"
        description="Turn off for voice input."
        checked={singleKeys}
        onChange={(event) => useSettings.setState({ singleKeys: event.currentTarget.checked })}
      />
      <Line>
        <LinkButton
          onClick={() => {
            useSettingsOpen.setState({ isOpen: false });
            openShortcuts();
          }}
        >
          All shortcuts
        </LinkButton>
        <Kbd>?</Kbd>
      </Line>
      <Line>
        <span className="dim">Stagedoor {status?.version}</span>
      </Line>
    </>
  );
};
