import { Box, Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Profile } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { counted, sentence } from "#contract/words/words.ts";
import { useFaults } from "../../api/faults.ts";
import { useLiveList } from "../../api/live-list.ts";
import { connectionsOfUserQuery, passcodeList, shownName, useApps } from "../../api/queries.ts";
import { scenarioWords } from "../../shared/fault/fault-words.ts";
import { CodeMark } from "../../shared/login/code-mark.tsx";
import { codeStandingOf, lookOf } from "../../shared/login/standing.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Block, Code, copyText } from "../../ui/code.tsx";
import { Facts, LinkLines, RelativeTime, StatusMark, useNow } from "../../ui/parts.tsx";
import { ActionsMenu } from "../../ui/row-actions.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { deviceWords } from "../../ui/words.ts";
import { ConnectionsOf } from "./connection-parts.tsx";
import type { ProfilePart } from "./profile-words.ts";
import { SessionState, useSessionsOf } from "./session-state.tsx";
import { userActions } from "./user-actions.tsx";

/** Maximum number of lines; the rest is in the place itself. */
const SHOWN = 12;

interface RecentProps<T> {
  readonly none: string;
  readonly screen: "codes" | "users/sessions";
  readonly profile: Profile;
  readonly items: readonly T[];
  readonly total: number;
  readonly children: (item: T) => ReactNode;
}

/** The newest sessions or logins of a user. */
const Recent = <T extends { readonly id: string }>(props: RecentProps<T>) => {
  const { none, screen, profile, items, total, children } = props;
  const { hrefTo } = useAddress();
  const app = profile.appId;
  if (items.length === 0) return <p className="dim">{none}</p>;
  return (
    <>
      <LinkLines>
        {items.slice(0, SHOWN).map((item) => (
          <li key={item.id}>
            <Link href={hrefTo(screen, { id: item.id, app })}>{children(item)}</Link>
          </li>
        ))}
      </LinkLines>
      {total > SHOWN && (
        <Link className="link dim" href={hrefTo(screen, { app, q: profile.userId })}>
          All {counted(total)}
        </Link>
      )}
    </>
  );
};

/** What the scenario of a profile does, and a link to its fault. */
const ScenarioLink = ({ profile: { appId, userId, scenario } }: { readonly profile: Profile }) => {
  const { hrefTo } = useAddress();
  const fault = useFaults().find(({ match, userId: id }) => id === userId && match.appId === appId);
  return (
    scenario !== null && (
      <Link className="link" href={hrefTo("simulate", { id: fault?.id ?? null, app: appId })}>
        <StatusMark tone="warn">{scenarioWords(scenario)}</StatusMark>
      </Link>
    )
  );
};

const About = ({ profile }: { readonly profile: Profile }) => {
  const { appId, userId, phone, email, testPasscode, metadata, createdAt, updatedAt } = profile;
  const { apps, appName } = useApps();
  const none = <span className="dim">None</span>;
  return (
    <>
      <Facts
        names={116}
        ruled
        of={{
          App: apps.length > 1 && <bdi>{appName(appId)}</bdi>,
          Phone: phone === null ? none : <span className="mono">{recipientText(phone)}</span>,
          Email: email === null ? none : <bdi>{email}</bdi>,
          "Fixed code": testPasscode === null ? none : <span className="mono">{testPasscode}</span>,
          Scenario: profile.scenario !== null && <ScenarioLink profile={profile} />,
          "User id": <span className="mono">{userId}</span>,
          Created: (
            <>
              <RelativeTime instant={createdAt} appId={appId} />
              {updatedAt !== createdAt && (
                <span className="dim">
                  , changed <RelativeTime instant={updatedAt} appId={appId} />
                </span>
              )}
            </>
          ),
        }}
      />
      {metadata !== null && (
        <DetailPart title="Metadata">
          <Block label="Metadata">{JSON.stringify(metadata, null, 2)}</Block>
        </DetailPart>
      )}
    </>
  );
};

interface ProfileDetailProps {
  readonly profile: Profile;
  /** The tab; null: the profile itself. */
  readonly part: ProfilePart | null;
  readonly hrefOf: (part: ProfilePart | null) => string;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** One user: what to do next, and as tabs the profile, sessions, connections and logins. */
export const ProfileDetail = ({ profile, part, hrefOf, onDelete, onClose }: ProfileDetailProps) => {
  const { appId, userId } = profile;
  const now = useNow(appId);
  const { sessions } = useSessionsOf(profile);
  const connections = useQuery(connectionsOfUserQuery(appId, userId)).data?.items.length;
  const codes = useLiveList(passcodeList, appId).data?.items.filter((passcode) => passcode.userId === userId);
  const name = shownName(profile.name);
  const [send, signIn, ...others] = userActions(profile);
  const tab = (of: ProfilePart | null, count?: number) => ({
    word: sentence(of ?? "profile"),
    href: hrefOf(of),
    chosen: of === part,
    count: count === undefined ? undefined : counted(count),
  });
  return (
    <DetailPanel label={`Profile of ${name}`} title={name} onClose={onClose}>
      <Group>
        <ActionButton variant="filled" label={send.label} act={send.act} />
        {signIn && <ActionButton label={signIn.label} act={signIn.act} />}
        <TextButton href={hrefOf("edit")} keys="e" label="Edit" />
        <ActionsMenu
          label={`More actions for ${name}`}
          items={() => [
            ...others,
            { label: "Copy user id", name: `Copy user id of ${name}`, act: () => copyText(userId, "User id") },
            { label: "Delete", name: `Delete ${name}`, act: onDelete },
          ]}
        />
      </Group>
      <Box h={40} mt={12} mb={12} display="flex" style={{ borderBottom: "1px solid var(--sd-line)" }}>
        <Tabs
          label="Parts of the user"
          of={[
            tab(null),
            tab("sessions", sessions?.total),
            tab("connections", connections),
            tab("logins", codes?.length),
          ]}
        />
      </Box>
      {part === null && <About profile={profile} />}
      {part === "sessions" && sessions && (
        <Recent profile={profile} {...sessions} none="No sessions yet." screen="users/sessions">
          {(session) => (
            <>
              <bdi>{deviceWords(session.device)}</bdi>
              <SessionState session={session} />
            </>
          )}
        </Recent>
      )}
      {part === "connections" && <ConnectionsOf appId={appId} userId={userId} />}
      {part === "logins" && codes && (
        <Recent profile={profile} items={codes} total={codes.length} none="No codes sent yet." screen="codes">
          {(passcode) => (
            <>
              {/* Small text needs more contrast than the codes of the list. */}
              <Box component="span" __vars={{ "--sd-faint": "var(--sd-dim)" }}>
                <Code code={passcode.code} look={lookOf(codeStandingOf(passcode, now, profile))} />
              </Box>
              <CodeMark passcode={passcode} standing={codeStandingOf(passcode, now, profile)} timed />
            </>
          )}
        </Recent>
      )}
    </DetailPanel>
  );
};
