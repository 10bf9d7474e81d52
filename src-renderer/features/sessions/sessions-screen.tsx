import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { appsQuery, sessionQuery, sessionsQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { showDialog } from "../../ui/dialogs.ts";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { ListContent } from "../../ui/list-content.tsx";
import { useNow } from "../../ui/now.ts";
import { Screen } from "../../ui/screen.tsx";
import { useCurrentRow } from "../../ui/use-current-row.ts";
import { useFound } from "../../ui/use-found.ts";
import { EmptySessions } from "./empty-sessions.tsx";
import { NewSessionDialog } from "./new-session-dialog.tsx";
import { SessionDetail } from "./session-detail.tsx";
import { SessionRow } from "./session-row.tsx";
import { FILTERS, passes } from "./session-state.ts";

/** Every session, newest first. */
export const SessionsScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(sessionsQuery(address.app));
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const now = useNow(address.app);
  const isFound = useFound(address.app, address.q);
  const appOf = (appId: string) => apps.find((app) => app.appId === appId);
  const all = list.data?.items ?? [];
  const total = list.data?.total ?? 0;
  const shown = all.filter(
    (session) => passes(session, address.show, now) && isFound(session.userId, [session.device ?? "", session.id]),
  );

  // A link may point at a session that the list no longer holds.
  const listed = all.find((session) => session.id === address.id);
  const linked = useQuery({
    ...sessionQuery(address.id ?? ""),
    enabled: address.id !== null && list.isSuccess && listed === undefined,
  });
  const selected = listed ?? (address.id === null ? undefined : (linked.data ?? undefined));
  const { currentId, setCurrentId } = useCurrentRow(shown, selected);

  return (
    <Screen
      title="Sessions"
      tools={
        <>
          {all.length > 0 && <FilterChips label="Which sessions" choices={FILTERS} />}
          <Button onClick={() => showDialog("session")}>Make a session</Button>
          <NewSessionDialog />
        </>
      }
      note={all.length > 0 && (all.length < total ? `Newest ${all.length} of ${total}` : "Newest first")}
      detail={
        selected && (
          <SessionDetail
            key={selected.id}
            session={selected}
            app={appOf(selected.appId)}
            onClose={() => go({ id: null })}
          />
        )
      }
    >
      <ListContent
        label="Sessions"
        list={list}
        all={all}
        shown={shown}
        empty={<EmptySessions />}
        noneFits="No session fits this filter"
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={(session, focus) => (
          <SessionRow
            session={session}
            app={appOf(session.appId)}
            focus={focus}
            href={hrefWith({ id: session.id })}
            selected={session.id === address.id}
          />
        )}
      />
    </Screen>
  );
};
