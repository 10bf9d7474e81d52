import { Button } from "@mantine/core";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Session } from "#client/index.ts";
import { recipientText } from "#contract/words/phone-words.ts";
import { emulator } from "../../api/emulator.ts";
import { useLiveList } from "../../api/live-list.ts";
import { sessionList, sessionQuery, useUser } from "../../api/queries.ts";
import { stateAt } from "../../shared/session/session-words.ts";
import { TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { copyText } from "../../ui/code.tsx";
import { ListScreen, Row, RowLink, type RowPlace } from "../../ui/list-screen.tsx";
import { RelativeTime, useNow } from "../../ui/parts.tsx";
import { type RowAction, RowActions } from "../../ui/row-actions.tsx";
import { NoUsers, useFound } from "../../ui/users.tsx";
import { deviceWords, newestWords } from "../../ui/words.ts";
import { openNewSession } from "./new-session-dialog.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { endOne, SessionState, useIsLost } from "./session-state.tsx";

const LIST = {
  noun: "session",
  columns: [
    "minmax(0, 1fr) 132px minmax(0, 1fr) 140px 84px",
    "minmax(0, 1fr) minmax(0, 0.7fr) 128px",
    "minmax(0, 1fr) 128px",
  ],
  rowHeight: 36,
  filters: ["active", "ended"],
} as const;

const SessionRow = ({ session, place }: { readonly session: Session; readonly place: RowPlace }) => {
  const { name, username } = useUser(session);
  const { hrefTo } = useAddress();
  const [, navigate] = useLocation();
  const active = stateAt(session, useNow(session.appId)) === "active";
  const isLost = useIsLost(session);
  const { device, appId, userId, createdAt } = session;
  const action = (label: string, act: () => unknown, disabled = false): RowAction => ({
    label,
    name: `${label} the session of ${name}`,
    disabled,
    act,
  });
  const more = (): readonly RowAction[] => [
    action("Expire", () => endOne(session, "expire"), !active),
    {
      ...action("Copy token", () => copyText(emulator.sessions.token(session.id), "Token")),
      name: `Copy token of ${name}`,
    },
    { label: "View user", name: `View user ${name}`, act: () => navigate(hrefTo("users", { id: userId, app: appId })) },
  ];
  return (
    <Row
      ended={!active}
      actions={
        <RowActions
          first={active ? [action("Revoke", () => endOne(session, "revoke"))] : []}
          menu={`More for the session of ${name}`}
          more={more}
          tabIndex={place.focus.tabIndex}
        />
      }
    >
      <span className="cut">
        <RowLink {...place}>{name}</RowLink>
      </span>
      <span className="cut mono small" data-wide>
        {username && recipientText(username)}
      </span>
      <span className="cut" data-middle title={device ?? undefined}>
        <bdi>{deviceWords(device)}</bdi>
      </span>
      <span className="cut">
        <SessionState session={session} />
        {isLost && <span className="warn"> lost</span>}
      </span>
      <span className="small" data-wide data-end>
        <RelativeTime instant={createdAt} appId={appId} />
      </span>
    </Row>
  );
};

/** Every session, newest first. */
export const SessionsScreen = () => {
  const { address } = useAddress();
  const [atEnd, setAtEnd] = useState(false);
  const show = shownOf(address.show, LIST.filters);
  const list = useLiveList(sessionList, address.app, atEnd || address.q !== "" || show !== null);
  const now = useNow(address.app);
  const isFound = useFound(address.app, address.q);
  const { items: all = [], total = 0 } = list.data ?? {};
  return (
    <ListScreen
      {...LIST}
      list={list}
      all={all}
      fits={(session) =>
        (show === null || (stateAt(session, now) === "active") === (show === "active")) &&
        isFound(session.userId, [session.device ?? "", session.id])
      }
      tools={
        <TextButton ms="auto" onClick={openNewSession} label="New" aria-label="New session" aria-keyshortcuts="n" />
      }
      note={all.length < total && newestWords(all.length, total)}
      empty={
        <NoUsers title="No sessions yet" words="Sessions appear here when users sign up or sign in.">
          {({ app }) => app.counts.profiles > 0 && <Button onClick={openNewSession}>Sign in without a code</Button>}
        </NoUsers>
      }
      linked={sessionQuery}
      keys={() => ({ n: openNewSession })}
      onEnd={() => setAtEnd(true)}
      row={(session, place) => <SessionRow session={session} place={place} />}
      detail={(session, close) => <SessionDetail key={session.id} session={session} onClose={close} />}
    />
  );
};
