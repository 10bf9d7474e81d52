import { UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { expirePasscode } from "../../api/actions.ts";
import { cache } from "../../api/cache.ts";
import { passcodeQuery, profileQuery, statusQuery } from "../../api/queries.ts";
import { LOGIN_FILTERS, needsYou, passesFilter, type Standing, standingOf } from "../../shared/login/standing.ts";
import { type Story, storiesOf } from "../../shared/login/stories.ts";
import { useLogins, useNewestCode } from "../../shared/login/use-logins.ts";
import { announce, complain, TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { CopyButton, copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { ListContent } from "../../ui/list-screen.tsx";
import { FilterChips, useNow } from "../../ui/parts.tsx";
import { useCurrentRow } from "../../ui/record-list.tsx";
import { Empty, Screen } from "../../ui/screen.tsx";
import { NoApps, useFound } from "../../ui/users.tsx";
import classes from "./codes.module.css";
import { LoginDetail } from "./login-detail.tsx";
import { LoginRow, useAppOf } from "./login-row.tsx";
import { arrivalWords, useArrivals } from "./use-arrivals.ts";

/** Without logins: where to point one's app, and a login to watch without one. */
const NoLogins = ({ appId }: { readonly appId: string | null }) => {
  const { hrefTo } = useAddress();
  const { data: status } = useQuery(statusQuery());
  return (
    <Empty title="Request a code in your app">
      <p>Point it at this address. Its code appears here; nothing is really sent.</p>
      {status && (
        <p className={classes["url"]}>
          <span className="mono">{status.urls.auth}</span>
          <CopyButton text={status.urls.auth} what="Auth URL" variant="filled" />
        </p>
      )}
      <p>
        <TextButton quiet href={hrefTo("setup")} label="Simulator, emulator or phone" />
        <TextButton
          quiet
          href={appId === null ? "/stage" : `/stage?appId=${encodeURIComponent(appId)}`}
          label="Try it here without an app"
        />
      </p>
      <NoApps />
    </Empty>
  );
};

/** @returns the words of all logins and their standing, from the profiles that are known. */
const standingIn = (story: Story, nowMs: number): Standing =>
  standingOf(story, nowMs, cache.getQueryData(profileQuery(story.appId, story.userId ?? "").queryKey));

const has = ({ id, rows, passcodes }: Story, sought: string): boolean =>
  id === sought || passcodes.some((code) => code.id === sought) || rows.some((row) => row.id === sought);

/** @returns the login with its own id, of a request or of a code; undefined: it is not known yet, null: there is none. */
const useChosen = (logins: readonly Story[], id: string | null, isLoaded: boolean): Story | null | undefined => {
  const listed = id === null ? undefined : logins.find((login) => has(login, id));
  // A link can refer to a code that is no longer in the list.
  const { data } = useQuery({ ...passcodeQuery(id ?? ""), enabled: id !== null && isLoaded && listed === undefined });
  return useMemo(() => {
    if (listed !== undefined || id === null || data === undefined) return listed;
    return data === null ? null : storiesOf([], [data])[0];
  }, [listed, id, data]);
};

const COLUMNS = {
  one: ["74px minmax(0, 1fr) 132px 140px 40px", "74px minmax(0, 1fr) 124px 40px", "66px minmax(0, 1fr) 112px"],
  all: [
    "74px minmax(0, 1fr) 132px 140px 68px 40px",
    "74px minmax(0, 1fr) 116px 68px 40px",
    "66px minmax(0, 1fr) 112px",
  ],
} as const;
const ROW_HEIGHT = 40;

/** The logins with their codes, newest first; next to them the newest active one, or the one that was chosen. */
export const CodesScreen = () => {
  const { address, hrefWith, go } = useAddress();
  const [atEnd, setAtEnd] = useState(false);
  const around = useRef<HTMLDivElement>(null);
  const show = shownOf(address.show, LOGIN_FILTERS);
  const isFiltered = address.q !== "" || show !== null;
  const { logins, list } = useLogins(address.app, isFiltered || atEnd);
  const { items: all, waiting, release } = useArrivals(list.data, around);
  const nowMs = useNow(address.app);
  const isFound = useFound(address.app, address.q);
  const appOf = useAppOf(address.app);
  const items = isFiltered
    ? all.filter(
        (login) =>
          passesFilter(standingIn(login, nowMs), show) &&
          isFound(login.userId ?? "", [login.to, ...login.passcodes.map(({ code }) => code)]),
      )
    : all;
  const newest = useNewestCode(address.app);
  const chosen = useChosen(logins, address.id, list.data !== undefined);
  // A menu that is open stays that of its login.
  const [heldId, setHeldId] = useState<string | null>(null);
  const held = logins.find(({ id }) => id === heldId);
  const followed = held ?? logins.find(({ passcodes }) => passcodes.some(({ id }) => id === newest?.id)) ?? logins[0];
  // Not before the codes are there: a request alone would stand there as a login without a code.
  const isLoaded = list.data !== undefined;
  const shown = address.id === null && isLoaded ? followed : (chosen ?? undefined);
  const row = useCurrentRow(items, chosen ?? undefined);
  const follow = (): void => {
    if (chosen) row.setCurrentId(chosen.id);
    go({ id: null });
  };
  const showNew = (): unknown => {
    release();
    around.current?.firstElementChild?.scrollTo({ top: 0 });
    return address.id === null ? undefined : follow();
  };
  /** Keys apply to the focused row, else to the chosen login, else to the newest code. */
  const target = () => {
    const focused = document.activeElement?.getAttribute("data-row-link");
    return (items.find(({ id }) => id === focused) ?? chosen)?.passcodes.at(-1) ?? newest;
  };
  useKeys({
    c: () => {
      const code = target();
      return code === undefined ? announce("No active code") : copyText(code.code, "Code");
    },
    e: () => {
      const code = target();
      return code?.status === "active" && expirePasscode(code.id).then(() => announce("Code expired"), complain);
    },
    ".": showNew,
    escape: () => (address.id === null ? false : follow()),
  });
  const failed = logins.filter((login) => needsYou(standingIn(login, nowMs))).length;
  if (list.data !== undefined && logins.length === 0 && chosen == null)
    return (
      <Screen title="Codes">
        {address.id !== null && chosen === null ? <NotFound onFollow={follow} /> : <NoLogins appId={address.app} />}
      </Screen>
    );
  return (
    <Screen
      title="Codes"
      tools={
        <>
          <FilterChips
            label="Show"
            choices={[
              [null, "All"],
              ["waiting", "Waiting"],
              ["failed", "Failed", failed],
            ]}
          />
          {waiting.length > 0 && (
            <UnstyledButton className={classes["new"] ?? ""} onClick={showNew}>
              {arrivalWords(waiting)} <span aria-hidden="true">↑</span>
            </UnstyledButton>
          )}
        </>
      }
      detail={
        shown ? (
          <LoginDetail
            key={shown.id}
            story={shown}
            isChosen={address.id !== null}
            back={hrefWith({ id: null })}
            onMenu={(isOpen) => setHeldId(isOpen ? shown.id : null)}
          />
        ) : (
          <section className={classes["detail"]} aria-label="Login" data-below={address.id === null || undefined}>
            {chosen === null && <NotFound onFollow={follow} />}
          </section>
        )
      }
    >
      <div ref={around} className="fill column">
        <ListContent
          label="Logins"
          list={list}
          columns={COLUMNS[appOf === undefined ? "one" : "all"]}
          rowHeight={ROW_HEIGHT}
          all={all}
          items={items}
          empty={null}
          noneFits="No login matches this filter"
          row={{ ...row, selectedId: shown?.id ?? null }}
          onEnd={() => setAtEnd(true)}
          renderRow={(login, focus) => (
            <LoginRow
              story={login}
              focus={focus}
              href={hrefWith({ id: login.id })}
              selected={login.id === shown?.id}
              appName={appOf?.(login)}
            />
          )}
        />
      </div>
    </Screen>
  );
};

const NotFound = ({ onFollow }: { readonly onFollow: () => void }) => (
  <Empty title="Code not found">
    <p>It was deleted, or Stagedoor was reset or restarted.</p>
    <TextButton onClick={onFollow} label="Show newest" />
  </Empty>
);
