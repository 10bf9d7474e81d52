import { useQuery } from "@tanstack/react-query";
import { appsQuery, passcodeQuery, passcodesQuery } from "../../api/queries.ts";
import { useAddress } from "../../ui/address.ts";
import { FilterChips } from "../../ui/filter-chips.tsx";
import { ListContent } from "../../ui/list-content.tsx";
import { useNow } from "../../ui/now.ts";
import { Screen } from "../../ui/screen.tsx";
import { useFound } from "../../ui/use-found.ts";
import { EmptyInbox } from "./empty-inbox.tsx";
import { PasscodeDetail } from "./passcode-detail.tsx";
import { PasscodeRow } from "./passcode-row.tsx";
import { FILTERS, passes } from "./passcode-status.ts";
import { useInboxKeys } from "./use-inbox-keys.ts";

/** Every passcode as it is issued, newest first. */
export const InboxScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const list = useQuery(passcodesQuery(address.app));
  const apps = useQuery(appsQuery()).data?.items ?? [];
  const now = useNow(address.app);
  const isFound = useFound(address.app, address.q);
  const all = list.data?.items ?? [];
  const total = list.data?.total ?? 0;
  const shown = all.filter(
    (passcode) => passes(passcode, address.show, now) && isFound(passcode.userId, [passcode.code, passcode.to]),
  );

  // A link may point at a passcode that the list no longer holds.
  const listed = all.find((passcode) => passcode.id === address.id);
  const linked = useQuery({
    ...passcodeQuery(address.id ?? ""),
    enabled: address.id !== null && list.isSuccess && listed === undefined,
  });
  const selected = listed ?? (address.id === null ? undefined : (linked.data ?? undefined));
  const { currentId, setCurrentId } = useInboxKeys(shown, selected);

  return (
    <Screen
      title="Inbox"
      tools={all.length > 0 && <FilterChips label="Which codes" choices={FILTERS} />}
      note={all.length > 0 && (all.length < total ? `Newest ${all.length} of ${total}` : "Newest first")}
      detail={
        selected && (
          <PasscodeDetail
            key={selected.id}
            passcode={selected}
            app={apps.find((app) => app.appId === selected.appId)}
            onClose={() => {
              setCurrentId(selected.id);
              go({ id: null });
            }}
          />
        )
      }
    >
      <ListContent
        label="Passcodes"
        list={list}
        all={all}
        shown={shown}
        empty={<EmptyInbox />}
        noneFits="No code fits this filter"
        selectedId={address.id}
        currentId={currentId}
        onCurrent={setCurrentId}
        renderRow={(passcode, focus) => (
          <PasscodeRow
            passcode={passcode}
            focus={focus}
            href={hrefWith({ id: passcode.id })}
            selected={passcode.id === address.id}
            appName={
              address.app === null && apps.length > 1
                ? apps.find((app) => app.appId === passcode.appId)?.name
                : undefined
            }
          />
        )}
      />
    </Screen>
  );
};
