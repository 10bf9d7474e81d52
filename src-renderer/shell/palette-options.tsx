import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { SCREENS, type Screen } from "#contract/control/screens.ts";
import { groups } from "#contract/words/code-words.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { counted } from "#contract/words/words.ts";
import { passcodeList, profileSearchQuery, shownName, useApps, usernameOf } from "../api/queries.ts";
import { downloadFixtures } from "../places/setup/export.ts";
import { resetData } from "../places/setup/reset.ts";
import { useClockCommands } from "../places/simulate/clock-commands.ts";
import { useFaultCommands } from "../places/simulate/fault-commands.ts";
import { openNewSession } from "../places/users/new-session-dialog.tsx";
import { userActions } from "../places/users/user-actions.tsx";
import { useHistoryCommands } from "../shared/history/commands.tsx";
import { useNewestUnknownApp } from "../shared/request/create-app.tsx";
import { openSendDialog } from "../shared/user/send-code.tsx";
import { complain } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { copyText } from "../ui/code.tsx";
import { type Command, early, MOST_TYPED, optionId, palette, paletteStore } from "../ui/palette-store.ts";
import { SCHEMES, useSettings } from "../ui/settings.ts";
import { usePasted } from "./paste/pasted.ts";
import { ranked, recentFirst } from "./ranked.ts";
import { presentHref, SCREEN_WORDS } from "./screens.tsx";
import { useSettingsOpen } from "./settings-open.ts";
import { openShortcuts } from "./settings-panel.tsx";

const command = (id: string, title: string, run: () => unknown, hint?: string): Command => ({ id, title, run, hint });
/** A command that changes data. */
const change = (...given: Parameters<typeof command>): Command => ({ ...command(...given), changes: true });

/** Tasks on a screen: title, and the part and section of the screen. */
const WAYS: readonly (readonly [screen: Screen, title: string, show: string | null, place: string | null])[] = [
  ["requests", "Failed requests", "failed", null],
  ["codes", "Failed logins", "failed", null],
  ["users", "New user", null, "new"],
  ["setup", "Connect a phone", "phone", null],
  ["setup/apps", "New app", "new", null],
  ["setup/data", "Import data", null, null],
  ["setup/data", "Generate users", "generate", null],
  ["setup/data", "Save a snapshot", "snapshot", null],
  ["setup/data", "Restore a snapshot", null, null],
];

const isChange = ({ changes = false }: Command): boolean => changes;

const LEAST_TYPED = 2;
/** A longer text is no name, and would be too long for a URL. */
const MOST_NAME = 500;
/** How much of a text that finds nothing is said. */
const MOST_SAID = 80;
/** The verb of a command for a user; the rest is the user's name. */
const VERB =
  /^(open|send( an?)?( code)?( to)?|sign in( as)?|copy( an?)?( token)?( of)?|(un)?lock|revoke( sessions?)?( of)?) /i;
const PEOPLE = 3;
const PAUSE_MS = 120;

const usePeople = (typed: string): readonly Command[] => {
  const { address, go } = useAddress();
  const name = typed.length > MOST_NAME ? "" : typed.trim().replace(VERB, "");
  const [searched] = useDebouncedValue(name, PAUSE_MS);
  const { appOf, appName } = useApps();
  const { data } = useQuery({
    ...profileSearchQuery(address.app, searched, PEOPLE),
    enabled: searched.length >= LEAST_TYPED,
    placeholderData: keepPreviousData,
  });
  if (name.length < LEAST_TYPED) return [];
  const found = (data?.items ?? []).flatMap((user): Command[] => {
    const { appId, userId } = user;
    const username = usernameOf(appOf(appId), user);
    const hint = [username === null ? "no username" : recipientText(username), appName(appId)].join(", ");
    const show = (screen: "codes" | "users", id: string): void =>
      go({ screen, id, app: address.app === null ? null : appId, show: null, q: "" });
    const open = (): void => show("users", address.app === null ? `${appId}~${userId}` : userId);
    return [
      command(`open:${appId}:${userId}`, `Open ${shownName(user.name)}`, open, hint),
      ...userActions(user, ({ id }) => show("codes", id)).map(({ id, name: title, act }) =>
        change(`${id}:${appId}:${userId}`, title, () => act().catch(complain), hint),
      ),
    ];
  });
  return name === typed.trim() ? found : ranked(typed, found, ({ title }) => title, isChange);
};

const useCommands = (): readonly Command[] => {
  const { address, go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  const { apps, appName } = useApps();
  const codes = useQuery(passcodeList.query(address.app)).data?.items ?? [];
  const newest = codes.find(({ status }) => status === "active") ?? codes[0];
  const ofFeatures = [...useClockCommands(), ...useFaultCommands(), ...useHistoryCommands()];
  const unknown = useNewestUnknownApp();
  const copy = (code: string): Command =>
    command("copy", "Copy the newest code", () => copyText(code, "Code"), groups(code).join(" "));
  const show = (appId: string | null, title: string, hint?: string): Command =>
    command(`app:${appId ?? ""}`, title, () => go({ app: appId, id: null, q: "" }), hint);
  return [
    command("send", "Send a code", openSendDialog),
    ...(newest === undefined ? [] : [copy(newest.code)]),
    ...(unknown === undefined
      ? []
      : [
          change(
            `create:${unknown.appId}`,
            `Create ${unknown.appId}`,
            () => unknown.create().catch(complain),
            "an app that a request named",
          ),
        ]),
    ...SCREENS.filter((screen) => screen !== "mini" && screen !== "stage").map((screen) =>
      command(`go:${screen}`, `Go to ${SCREEN_WORDS[screen].word}`, () => go({ screen, id: null, show: null, q: "" })),
    ),
    command("present", "Present a login", () => navigate(presentHref(address.app))),
    command("session", "Sign in without a code", openNewSession),
    ...WAYS.map(([screen, title, part, place]) =>
      command(`way:${title}`, title, () => go({ screen, show: part, id: place, q: "" })),
    ),
    command("fixtures:download", "Export fixtures", () => downloadFixtures(address.app).catch(complain)),
    change("fixtures:reset", `Reset ${address.app === null ? "all apps" : appName(address.app)} to the fixtures`, () =>
      resetData(address.app, apps).catch(complain),
    ),
    ...ofFeatures,
    ...(address.app === null ? [] : [show(null, "Show all apps")]),
    ...apps
      .filter(({ appId }) => appId !== address.app)
      .map(({ appId, name, strategy }) => show(appId, `Switch to ${name}`, strategy)),
    ...SCHEMES.map(({ value, label }) =>
      command(`theme:${value}`, `Theme: ${label.toLowerCase()}`, () => setColorScheme(value)),
    ),
    command("help", "Keyboard shortcuts", openShortcuts, "?"),
    command("settings", "Settings", () => useSettingsOpen.setState({ isOpen: true }), "theme, notifications, keys"),
  ];
};

/** What people look for under other names, by the id of the command. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "go:setup": "url urls base address host port qr code app id",
  "go:setup/apps": "secret api key settings sms text message email template",
  "way:New app": "create app add app",
  "way:Import data": "import csv import users excel json upload load seed",
  "way:Connect a phone": "qr code lan wifi device",
  "go:setup/keys": "signing keys jwks rotate retire",
  "go:requests": "logs log traffic",
  "go:codes": "otp code passcode sms",
  send: "otp sms code passcode",
  help: "help docs documentation shortcuts",
};

/** @returns the commands for a text: by their titles, then by other words, then by scattered letters. */
const commandsFor = (query: string, commands: readonly Command[]): readonly Command[] => {
  const textOf = ({ title, hint = "" }: Command): string => `${title} ${hint}`;
  const byTitle = ranked(query, commands, textOf, () => true);
  const others = commands.filter((one) => !byTitle.includes(one));
  const byWords = ranked(
    query,
    others.filter(({ id }) => id in OTHER_WORDS),
    ({ id }) => OTHER_WORDS[id] ?? "",
    () => true,
  );
  const rest = others.filter((one) => !byWords.includes(one));
  return [...byTitle, ...byWords, ...ranked(query, rest, textOf, isChange)];
};

const RECENT = 6;
/** Closing restores the focus after a moment; a command that opens something waits for that. */
const FOCUS_BACK_MS = 20;

const run = (command: Command): void => {
  useSettings.setState(({ recentCommands }) => ({
    recentCommands: [command.id, ...recentCommands.filter((id) => id !== command.id)].slice(0, RECENT),
  }));
  setTimeout(command.run, FOCUS_BACK_MS);
};

/** The commands that match the typed text; one is selected, for Enter. */
export const PaletteOptions = () => {
  const { query, selected } = useSpotlight(paletteStore);
  const { recentCommands } = useSettings();
  const commands = useCommands();
  const people = usePeople(query);
  const ofQuery = usePasted(query);
  const found =
    query.trim() === ""
      ? recentFirst(commands, recentCommands)
      : [...ofQuery, ...commandsFor(query, commands), ...people];
  const at = Math.min(Math.max(0, selected), found.length - 1);
  // Spotlight selects nothing on opening, and does not know users that are found later.
  useEffect(() => {
    if (selected !== at) paletteStore.setState({ ...paletteStore.getState(), selected: at });
  }, [selected, at]);

  const [first] = found;
  useEffect(() => {
    if (!early.enter || first === undefined) return;
    early.enter = false;
    palette.close();
    run(first);
  }, [first]);
  const sought = query.trim();
  return (
    <>
      {query.length >= MOST_TYPED && (
        <p role="status" className="dim small" style={{ padding: "8px 14px" }}>
          A long text: only its first {counted(MOST_TYPED)} characters are looked at.
        </p>
      )}
      {found.length === 0 && (
        <Spotlight.Empty>
          <span role="status">
            Nothing found for “{sought.length > MOST_SAID ? `${sought.slice(0, MOST_SAID)}…` : sought}”.
          </span>
        </Spotlight.Empty>
      )}
      <Spotlight.ActionsList>
        <div id="commands" role="listbox" aria-label="Commands">
          {found.map((command, index) => (
            <Spotlight.Action
              key={command.id}
              ref={(button) => {
                if (button !== null) button.id = optionId(index);
              }}
              role="option"
              aria-selected={index === at}
              data-selected={index === at || undefined}
              onClick={() => run(command)}
            >
              <bdi className="cut" style={{ flex: 1 }}>
                {command.title}
              </bdi>
              {command.hint !== undefined && <bdi className="dim small">{command.hint}</bdi>}
            </Spotlight.Action>
          ))}
        </div>
      </Spotlight.ActionsList>
    </>
  );
};
