import { Button } from "@mantine/core";
import { useState } from "react";
import type { Session } from "#client/index.ts";
import { useLiveList } from "../../api/live-list.ts";
import { sessionList, sessionQuery, useUser } from "../../api/queries.ts";
import { stateAt } from "../../shared/session/session-words.ts";
import { RowButton, TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { Cell, ListScreen, Row, RowLink, type RowPlace, UserCell } from "../../ui/list-screen.tsx";
import { RelativeTime, useNow } from "../../ui/parts.tsx";
import { NoUsers, useFound } from "../../ui/users.tsx";
import { deviceWords, newestWords } from "../../ui/words.ts";
import { endOne } from "./end-session.tsx";
import { openNewSession } from "./new-session-dialog.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { SessionState, useIsLost } from "./session-state.tsx";

const LIST = {
  noun: "session",
  columns: ["minmax(0, 1fr) minmax(0, 1fr) minmax(120px, 0.6fr) 84px 72px", "minmax(0, 1fr) 120px 72px"],
  filters: ["active", "ended"],
} as const;

const SessionRow = ({ session, place }: { readonly session: Session; readonly place: RowPlace }) => {
  const { name, username, appName } = useUser(session);
  const active = stateAt(session, useNow(session.appId)) === "active";
  const isLost = useIsLost(session);
  return (
    <Row ended={!active}>
      <UserCell username={username}>
        <RowLink {...place}>{name}</RowLink>
      </UserCell>
      <Cell wide sub={<bdi>{appName}</bdi>}>
        <bdi title={session.device ?? undefined}>{deviceWords(session.device)}</bdi>
      </Cell>
      <Cell sub={isLost && <span className="warn">response lost</span>}>
        <SessionState session={session} />
      </Cell>
      <Cell wide end>
        <RelativeTime instant={session.createdAt} appId={session.appId} />
      </Cell>
      {active ? (
        <RowButton label="Revoke" tabIndex={place.focus.tabIndex} act={() => endOne(session, "revoke")} />
      ) : (
        <span />
      )}
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
      tools={<TextButton keys="n" onClick={openNewSession} label="New session" />}
      note={newestWords(all.length, total)}
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
