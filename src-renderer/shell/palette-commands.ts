import { useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { RAIL_SCREENS } from "#contract/screens.ts";
import { sendPasscode } from "../api/actions.ts";
import { shownName, useApps, usernameOf } from "../api/profile.ts";
import { passcodeList, profileSearchQuery } from "../api/queries.ts";
import { openSendDialog } from "../features/inbox/send-dialog.tsx";
import { openNewSession } from "../features/sessions/new-session-dialog.tsx";
import { useAddress } from "../ui/address.ts";
import { copyText } from "../ui/clipboard.ts";
import { groups } from "../ui/code.tsx";
import { complain } from "../ui/complain.ts";
import { recipientText } from "../ui/phone.ts";
import { copyTokenOf, signInAs } from "../ui/sign-in.tsx";
import { openHelp } from "./help-sheet.tsx";
import type { Command } from "./palette-store.ts";
import { useClockCommands, useFaultCommands, useFixtureCommands } from "./palette-testing.ts";
import { SCHEMES } from "./rail.tsx";
import { SCREEN_WORDS } from "./screens.tsx";

const LEAST_TYPED = 2;
const PEOPLE = 3;
const PAUSE_MS = 120;

const usePeople = (typed: string): readonly Command[] => {
  const { address, go } = useAddress();
  const [searched] = useDebouncedValue(typed.trim(), PAUSE_MS);
  const { appOf, appName } = useApps();
  const { data } = useQuery({
    ...profileSearchQuery(address.app, searched, PEOPLE),
    enabled: searched.length >= LEAST_TYPED,
    placeholderData: keepPreviousData,
  });
  if (typed.trim().length < LEAST_TYPED) return [];
  return (data?.items ?? []).flatMap((user): Command[] => {
    const { appId, userId } = user;
    const username = usernameOf(appOf(appId), user);
    const hint = [username === null ? "no username" : recipientText(username), appName(appId)].join(", ");
    const show = (screen: "inbox" | "profiles", id: string): void =>
      go({ screen, id, app: address.app === null ? null : appId, show: null, q: "" });
    const command = (kind: string, verb: string, run: () => unknown): Command => ({
      id: `${kind}:${appId}:${userId}`,
      title: `${verb} ${shownName(user.name)}`,
      hint,
      run,
    });
    return [
      command("open", "Open", () => show("profiles", address.app === null ? `${appId}~${userId}` : userId)),
      command("send", "Send a code to", () =>
        sendPasscode(appId, userId).then(({ id }) => show("inbox", id), complain),
      ),
      command("sign-in", "Sign in as", () => signInAs(user).catch(complain)),
      command("token", "Copy a token of", () => copyTokenOf(user).catch(complain)),
    ];
  });
};

/** @returns what can be done now, in the order of its usefulness, and the users that the typed text finds. */
export const useCommands = (typed: string): { commands: readonly Command[]; people: readonly Command[] } => {
  const { address, go } = useAddress();
  const { setColorScheme } = useMantineColorScheme();
  const { apps } = useApps();
  const codes = useQuery(passcodeList.query(address.app)).data?.items ?? [];
  const newest = codes.find(({ status }) => status === "active") ?? codes[0];
  const people = usePeople(typed);
  const fixtures = useFixtureCommands();
  const clock = useClockCommands();
  const faults = useFaultCommands();
  const to = (app: string | null) => () => go({ app, id: null, q: "" });
  const commands: Command[] = [
    { id: "send", title: "Send a test code", run: openSendDialog },
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
    ...RAIL_SCREENS.map((screen) => ({
      id: `go:${screen}`,
      title: `Go to ${SCREEN_WORDS[screen].word}`,
      run: () => go({ screen, id: null, show: null, q: "" }),
    })),
    {
      id: "session",
      title: "Sign in without a code",
      run: openNewSession,
    },
    ...fixtures,
    ...clock,
    ...faults,
    ...(address.app === null ? [] : [{ id: "app:", title: "Show all apps", run: to(null) }]),
    ...apps
      .filter(({ appId }) => appId !== address.app)
      .map(({ appId, name, strategy }) => ({
        id: `app:${appId}`,
        title: `Switch to ${name}`,
        hint: strategy,
        run: to(appId),
      })),
    ...SCHEMES.map(({ value, label }) => ({
      id: `theme:${value}`,
      title: `Theme: ${label.toLowerCase()}`,
      run: () => setColorScheme(value),
    })),
    { id: "help", title: "Keyboard shortcuts and notifications", hint: "?", run: openHelp },
  ];
  return { commands, people };
};
