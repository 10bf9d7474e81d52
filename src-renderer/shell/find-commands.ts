/** What Find knows: what is pasted, codes, the last failure, commands, places, users, and the filter of the list. */
import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { navigate } from "wouter/use-browser-location";
import { SCREENS, type Screen } from "#contract/control/screens.ts";
import { groups } from "#contract/words/code-words.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { cache } from "../api/cache.ts";
import { profileQuery, profileSearchQuery, shownName, useApps, useProfile, usernameOf } from "../api/queries.ts";
import { downloadFixtures } from "../places/setup/export.ts";
import { resetData } from "../places/setup/reset.ts";
import { useClockCommands } from "../places/simulate/clock-commands.ts";
import { useFaultCommands } from "../places/simulate/fault-commands.ts";
import { openNewSession } from "../places/users/new-session-dialog.tsx";
import { userActions } from "../places/users/user-actions.tsx";
import { needsYou, standingOf } from "../shared/login/standing.ts";
import { useLogins, useNewestCode } from "../shared/login/use-logins.ts";
import { useNewestUnknownApp } from "../shared/request/create-app.tsx";
import { openSendDialog } from "../shared/user/send-code.tsx";
import { complain } from "../ui/action.tsx";
import { useAddress } from "../ui/address.ts";
import { copyText } from "../ui/code.tsx";
import type { Command } from "../ui/palette-store.ts";
import { useNow } from "../ui/parts.tsx";
import { SCHEMES, useSettings } from "../ui/settings.ts";
import { usePasted } from "./paste/pasted.ts";
import { ranked } from "./ranked.ts";
import { presentHref, SCREEN_WORDS } from "./screens.tsx";
import { useSettingsOpen } from "./settings-open.ts";
import { openShortcuts } from "./settings-panel.tsx";

const command = (id: string, title: string, run: () => unknown, hint?: string): Command => ({ id, title, run, hint });

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
  ["setup/data", "History", null, null],
];

const LEAST_TYPED = 2;
/** A longer text is no name, and would be too long for a URL. */
const MOST_NAME = 500;
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
        command(`${id}:${appId}:${userId}`, title, () => act().catch(complain), hint),
      ),
    ];
  });
  return name === typed.trim() ? found : ranked(typed, found, ({ title }) => title);
};

/** The newest code, and why the last login failed. */
const useNewest = (): readonly Command[] => {
  const { address, go } = useAddress();
  const newest = useNewestCode(address.app);
  const nowMs = useNow(address.app);
  const failed = useLogins(address.app, false).logins.find((login) => {
    const profile = cache.getQueryData(profileQuery(login.appId, login.userId ?? "").queryKey);
    return needsYou(standingOf(login, nowMs, profile));
  });
  const profile = useProfile(newest?.appId ?? "", newest?.userId ?? "");
  const why = failed?.rows.at(-1)?.advice[0]?.text;
  return [
    newest &&
      command(
        "copy",
        `Copy the newest code ${groups(newest.code).join(" ")}`,
        () => copyText(newest.code, "Code"),
        profile?.name ?? recipientText(newest.to),
      ),
    failed &&
      command(
        "why",
        `Why did ${failed.to === "" ? "the last request" : `the login of ${recipientText(failed.to)}`} fail?`,
        () => go({ screen: "codes", id: failed.id, show: null, q: "" }),
        why ?? "with what to do",
      ),
  ].filter((one) => one !== undefined);
};

const useCommands = (): readonly Command[] => {
  const { address, go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  const { apps, appName } = useApps();
  const ofFeatures = [...useClockCommands(), ...useFaultCommands()];
  const unknown = useNewestUnknownApp();
  const show = (appId: string | null, title: string, hint?: string): Command =>
    command(`app:${appId ?? ""}`, title, () => go({ app: appId, id: null, q: "" }), hint);
  const create = ({ appId, create: run }: NonNullable<typeof unknown>): Command =>
    command(`create:${appId}`, `Create ${appId}`, () => run().catch(complain), "an app that a request named");
  const reset = `Reset ${address.app === null ? "all apps" : appName(address.app)} to the fixtures`;
  return [
    command("send", "Send a code", openSendDialog),
    ...(unknown === undefined ? [] : [create(unknown)]),
    command("present", "Present a login", () => navigate(presentHref(address.app)), "a demo for others"),
    command("session", "Sign in without a code", openNewSession),
    ...WAYS.map(([screen, title, part, place]) =>
      command(`way:${title}`, title, () => go({ screen, show: part, id: place, q: "" })),
    ),
    command("fixtures:download", "Export fixtures", () => downloadFixtures(address.app).catch(complain)),
    command("fixtures:reset", reset, () => resetData(address.app, apps).catch(complain)),
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

const usePlaces = (): readonly Command[] => {
  const { go } = useAddress();
  return SCREENS.filter((screen) => screen !== "mini" && screen !== "stage").map((screen) =>
    command(`go:${screen}`, `Go to ${SCREEN_WORDS[screen].word}`, () => go({ screen, id: null, show: null, q: "" })),
  );
};

/** What people look for under other names, by the id of the command: each word is as good as its title. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  "go:setup": "url urls base address host port app id",
  "go:setup/apps": "secret api key settings text message email template",
  "way:New app": "create app add app",
  "way:Import data": "import csv import users excel json upload load seed",
  "way:Connect a phone": "qr code lan wifi device",
  "fixtures:download": "download users json",
  "go:setup/keys": "signing keys jwks rotate retire",
  "go:requests": "logs log traffic",
  "go:codes": "passcode",
  present: "demo stage show",
  send: "otp sms code passcode",
  help: "help docs documentation shortcuts",
};

/** Options under one heading. */
export interface FoundGroup {
  readonly title: string;
  readonly commands: readonly Command[];
}

/** @returns what is found for a text, in groups; without one, what one does most. The last one does what `/` does. */
export const useFoundGroups = (query: string): readonly FoundGroup[] => {
  const { recentCommands } = useSettings();
  const { address, go } = useAddress();
  const [newest, commands, places, people] = [useNewest(), useCommands(), usePlaces(), usePeople(query)];
  const pasted = usePasted(query);
  const sought = query.trim();
  const all = [...newest, ...places, ...commands];
  const group = (title: string, of: readonly Command[]): FoundGroup[] =>
    of.length === 0 ? [] : [{ title, commands: of }];
  if (sought === "") {
    const recent = recentCommands.flatMap((id) => all.find((one) => one.id === id) ?? []);
    const rest = (of: readonly Command[]) => of.filter((one) => !recent.includes(one));
    return [
      ...group("Recent", recent),
      ...group("Newest", rest(newest)),
      ...group("Go to", rest(places)),
      ...group("Commands", rest(commands)),
    ];
  }
  const named = all.filter(({ id }) => OTHER_WORDS[id]?.split(" ").includes(sought.toLowerCase()));
  const byTitle = ranked(sought, all, ({ title, hint = "" }) => `${title} ${hint}`);
  const byWords = ranked(sought, all, ({ id }) => OTHER_WORDS[id] ?? "");
  const best = [...new Set([...named, ...byTitle, ...byWords])];
  const screen = address.screen !== undefined && SCREEN_WORDS[address.screen].search ? address.screen : "codes";
  const filter = command("filter", `Filter ${SCREEN_WORDS[screen].word} by “${sought}”`, () =>
    go({ screen, q: sought, id: null }),
  );
  return [
    ...group("Found", pasted),
    ...group("Best", best),
    ...group("Users", people),
    ...group("Filter", sought.length > MOST_NAME ? [] : [filter]),
  ];
};
