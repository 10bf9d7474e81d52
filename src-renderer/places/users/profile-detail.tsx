import { Box, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Profile } from "#client/index.ts";
import type { TextAttribute } from "#contract/service/attributes.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { counted } from "#contract/words/words.ts";
import { requestPasscode } from "../../api/actions.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, shownName, useApps } from "../../api/queries.ts";
import { ScenarioLink } from "../../shared/fault/scenario-link.tsx";
import { PasscodeState } from "../../shared/login/passcode-state.tsx";
import { lookOf, standingAt } from "../../shared/login/passcode-status.ts";
import { ActionButton, TextButton } from "../../ui/action.tsx";
import { useAddress } from "../../ui/address.ts";
import { Code, CopyButton } from "../../ui/code.tsx";
import { Facts, LinkLines, RelativeTime, useNow } from "../../ui/parts.tsx";
import { DetailPanel, DetailPart } from "../../ui/screen.tsx";
import { deviceWords } from "../../ui/words.ts";
import { ConnectionsOf } from "./connection-parts.tsx";
import { revokeAllOf } from "./end-session.tsx";
import { MetadataPart } from "./metadata-field.tsx";
import { createSessionFor, SessionState, useSessionsOf } from "./session-state.tsx";

/** Maximum number of lines per section; the rest is on its own screen. */
const SHOWN = 5;

interface RecentProps<T> {
  readonly title: string;
  readonly none: string;
  readonly screen: "codes" | "users/sessions";
  readonly profile: Profile;
  readonly items: readonly T[] | undefined;
  /** Absent: the number of items. */
  readonly total?: number | undefined;
  readonly children: (item: T) => ReactNode;
}

/** The newest sessions or passcodes of a user; nothing until they are loaded. */
const Recent = <T extends { readonly id: string }>(props: RecentProps<T>) => {
  const { title, none, screen, profile, items, total = items?.length ?? 0, children } = props;
  const { hrefTo } = useAddress();
  const app = profile.appId;
  return (
    items && (
      <DetailPart title={title}>
        {items.length === 0 && <p className="dim">{none}</p>}
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
      </DetailPart>
    )
  );
};

interface ProfileDetailProps {
  readonly profile: Profile;
  readonly editHref: string;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** One profile: its fields, and its current sessions, passcodes and connections. */
export const ProfileDetail = ({ profile, editHref, onDelete, onClose }: ProfileDetailProps) => {
  const { appId, userId, phone, email, testPasscode, createdAt, updatedAt } = profile;
  const { appName } = useApps();
  const now = useNow(appId);
  const { sessions, active, hasMore } = useSessionsOf(profile);
  const passcodes = useLiveList(passcodeList, appId).data?.items.filter((passcode) => passcode.userId === userId);
  const name = shownName(profile.name);
  const none = <span className="dim">none</span>;
  const texts: Readonly<Record<Exclude<TextAttribute, "name">, Readonly<Record<string, ReactNode>>>> = {
    phone: { Phone: phone === null ? none : <span className="mono">{recipientText(phone)}</span> },
    email: { Email: email === null ? none : <bdi>{email}</bdi> },
  };
  return (
    <DetailPanel label={`Profile of ${name}`} title={name} sub={<bdi>{appName(appId)}</bdi>} onClose={onClose}>
      <Group>
        <TextButton href={editHref} variant="filled" keys="e" label="Edit" />
        <ActionButton label="Send a code" act={() => requestPasscode(appId, userId)} />
        <ActionButton label="Sign in without a code" act={() => createSessionFor(profile)} />
        {(active.length > 0 || hasMore) && (
          <ActionButton
            label={
              hasMore
                ? "Revoke all sessions"
                : active.length === 1
                  ? "Revoke session"
                  : `Revoke all ${active.length} sessions`
            }
            act={() => revokeAllOf(profile)}
          />
        )}
        <TextButton keys="#" onClick={onDelete} label="Delete" />
      </Group>
      <DetailPart title="Profile">
        <Facts
          of={{
            ...Object.fromEntries(Object.values(texts).flatMap((shown) => Object.entries(shown))),
            "Fixed code": (
              <span className={testPasscode === null ? "dim" : "mono"}>{testPasscode ?? "None (random codes)"}</span>
            ),
            Scenario: profile.scenario !== null && <ScenarioLink profile={profile} />,
            Created: <RelativeTime instant={createdAt} appId={appId} />,
            Updated: <RelativeTime instant={updatedAt} appId={appId} />,
            "User id": (
              <Group>
                <span className="mono">{userId}</span>
                <CopyButton text={userId} what="User id" />
              </Group>
            ),
          }}
        />
      </DetailPart>
      <DetailPart title="Metadata" keys="m">
        <MetadataPart profile={profile} />
      </DetailPart>
      <Recent
        profile={profile}
        items={sessions?.items}
        total={sessions?.total}
        title="Sessions"
        none="No sessions yet."
        screen="users/sessions"
      >
        {(session) => (
          <>
            <bdi>{deviceWords(session.device)}</bdi>
            <SessionState session={session} />
          </>
        )}
      </Recent>
      <Recent profile={profile} items={passcodes} title="Passcodes" none="No codes sent yet." screen="codes">
        {(passcode) => (
          <>
            {/* Small text needs more contrast than the codes of the inbox. */}
            <Box component="span" __vars={{ "--sd-faint": "var(--sd-dim)" }}>
              <Code code={passcode.code} look={lookOf(standingAt(passcode, now, profile))} />
            </Box>
            <PasscodeState passcode={passcode} />
          </>
        )}
      </Recent>
      <ConnectionsOf appId={appId} userId={userId} />
    </DetailPanel>
  );
};
