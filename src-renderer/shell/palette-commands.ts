import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { sendPasscode } from "../api/actions.ts";
import { appsQuery, passcodesQuery, profileSearchQuery } from "../api/queries.ts";
import { SCREENS, useAddress } from "../ui/address.ts";
import { copyText } from "../ui/clipboard.ts";
import { groups } from "../ui/code.tsx";
import { complain } from "../ui/complain.ts";
import { showDialog } from "../ui/dialogs.ts";
import { recipientText } from "../ui/phone.ts";
import type { Command } from "./command.ts";
import { useFixtureCommands } from "./palette-fixtures.ts";
import { useClockCommands, useFaultCommands } from "./palette-testing.ts";
import { SCREEN_WORDS } from "./screen-words.ts";
import { SCHEMES } from "./theme-switch.tsx";

const LEAST_TYPED = 2;
const PEOPLE = 4;
const PAUSE_MS = 120;

const usePeople = (typed: string): readonly Command[] => {
  const { address, go } = useAddress();
  const [searched] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const { data } = useQuery({
    ...profileSearchQuery(address.app, searched, PEOPLE),
    enabled: searched.length >= LEAST_TYPED,
    placeholderData: keepPreviousData,
  });
  if (typed.trim().length < LEAST_TYPED) return [];
  return (data?.items ?? []).map(({ appId, userId, name, ...profile }) => {
    const app = apps.find((one) => one.appId === appId);
    const username = profile[app?.strategy ?? "phone"];
    const hint = [username === null ? "no username" : recipientText(username), app?.name ?? appId];
    return {
      id: `send:${appId}:${userId}`,
      title: `Send a test code to ${name ?? "a user without a name"}`,
      hint: hint.join(", "),
      run: () =>
        sendPasscode(appId, userId).then(
          ({ id }) => go({ screen: "inbox", id, app: address.app === null ? null : appId, show: null, q: "" }),
          complain,
        ),
    };
  });
};

/** @returns what can be done now, in the order of its usefulness, and the users that the typed text finds. */
export const useCommands = (typed: string): { commands: readonly Command[]; people: readonly Command[] } => {
  const { address, go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const codes = useQuery(passcodesQuery(address.app)).data?.items ?? [];
  const newest = codes.find(({ status }) => status === "active") ?? codes[0];
  const people = usePeople(typed);
  const fixtures = useFixtureCommands();
  const clock = useClockCommands();
  const faults = useFaultCommands();
  const to = (app: string | null) => () => go({ app, id: null, q: "" });
  const commands: Command[] = [
    { id: "send", title: "Send a test code to …", run: () => showDialog("send") },
    ...(newest === undefined
      ? []
      : [
          {
            id: "copy",
            title: "Copy the newest code",
            hint: groups(newest.code).join(" "),
            run: () => copyText(newest.code, "Code"),
          },
        ]),
    ...SCREENS.map((screen) => ({
      id: `go:${screen}`,
      title: `Go to ${SCREEN_WORDS[screen]}`,
      run: () => go({ screen, id: null, show: null, q: "" }),
    })),
    {
      id: "session",
      title: "Make a session without a passcode",
      run: () => {
        go({ screen: "sessions", id: null, show: null, q: "" });
        showDialog("session");
      },
    },
    ...fixtures,
    ...clock,
    ...faults,
    ...(address.app === null ? [] : [{ id: "app:", title: "Show all apps", run: to(null) }]),
    ...apps
      .filter(({ appId }) => appId !== address.app)
      .map(({ appId, name, strategy }) => ({
        id: `app:${appId}`,
        title: `Switch to the app ${name}`,
        hint: strategy,
        run: to(appId),
      })),
    ...SCHEMES.map(({ value, label }) => ({
      id: `theme:${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      run: () => setColorScheme(value),
    })),
    { id: "help", title: "Keyboard shortcuts and notifications", hint: "?", run: () => showDialog("help") },
  ];
  return { commands, people };
};
