import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useEffect, useRef, useState } from "react";
import type { Passcode } from "#client/index.ts";
import { expirePasscode, requestPasscode } from "../../api/actions.ts";
import { later } from "../../api/later.ts";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, passcodeQuery, useApps } from "../../api/queries.ts";
import { useEndedOtherwise } from "../../shared/login/newest-login.ts";
import { FILTERS, passes } from "../../shared/login/passcode-status.ts";
import { ActionButton, announce, complain, TextButton } from "../../ui/action.tsx";
import { shownOf, useAddress } from "../../ui/address.ts";
import { copyText } from "../../ui/code.tsx";
import { useKeys } from "../../ui/keys.ts";
import { ListContent } from "../../ui/list-screen.tsx";
import { FilterChips, useNow } from "../../ui/parts.tsx";
import { useCurrentRow } from "../../ui/record-list.tsx";
import frame from "../../ui/screen.module.css";
import { Empty } from "../../ui/screen.tsx";
import { NoUsers, useFound } from "../../ui/users.tsx";
import { newestWords } from "../../ui/words.ts";
import { Hero } from "./hero.tsx";
import { PasscodeRow } from "./passcode-row.tsx";

/** Without passcodes: how to get the first one, or a tour of a login on a phone. */
const EmptyInbox = ({ appId, connect }: { readonly appId: string | null; readonly connect: string }) => (
  <NoUsers
    known
    title="No codes yet"
    first={
      <>
        <TextButton variant="filled" href={connect} label="Connect your app" />
        <TextButton
          href={appId === null ? "/stage" : `/stage?appId=${encodeURIComponent(appId)}`}
          label="Watch a demo login"
        />
      </>
    }
    words="Codes appear here as soon as your app requests one. A phone number or email that Stagedoor doesn’t know yet signs up without a code; request again to get one."
  >
    {({ profile }) =>
      profile && (
        <ActionButton
          label={`Send a code to ${profile.name ?? "a user"}`}
          act={() => requestPasscode(profile.appId, profile.userId)}
        />
      )
    }
  </NoUsers>
);

const NewestLogin = later("newest-login", async () => (await import("./newest-login-strip.tsx")).NewestLogin);

const COLUMNS = ["150px minmax(0, 1.4fr) 132px minmax(0, 1fr) 64px", "142px minmax(0, 1fr) 58px"] as const;
/** On small screens the code at the top scrolls away with the list. */
const SMALL = "(width < 1000px), (height < 700px)";

/** The newest or selected code in large digits; below it all passcodes as they are issued, newest first. */
export const InboxScreen = () => {
  const { address, hrefWith, hrefTo, go } = useAddress();
  const [atEnd, setAtEnd] = useState(false);
  const isSmall = useMediaQuery(SMALL, undefined, { getInitialValueInEffect: false });
  const top = useRef<HTMLDivElement>(null);
  const show = shownOf(
    address.show,
    FILTERS.map(([value]) => value),
  );
  const isFiltered = address.q !== "" || show !== null;
  const list = useLiveList(passcodeList, address.app, isFiltered || atEnd);
  const { apps, appOf } = useApps();
  const now = useNow(address.app);
  const isFound = useFound(address.app, address.q);
  const { items: all = [], total = 0 } = list.data ?? {};
  const shown = all.filter(
    (passcode) => passes(passcode, show, now) && isFound(passcode.userId, [passcode.code, passcode.to]),
  );

  // A link can refer to a passcode that is no longer in the list.
  const listed = all.find((passcode) => passcode.id === address.id);
  const linked = useQuery({
    ...passcodeQuery(address.id ?? ""),
    enabled: address.id !== null && list.isSuccess && listed === undefined,
  });
  const selected = listed ?? (address.id === null ? undefined : (linked.data ?? undefined));
  const isGone = address.id !== null && selected === undefined && linked.data === null;
  const hero = address.id === null ? all[0] : selected;
  const otherwise = useEndedOtherwise(all[0]);
  const ended = address.id === null && list.isSuccess ? otherwise.row : undefined;
  const row = useCurrentRow(shown, selected);
  const follow = (): void => {
    if (selected !== undefined) row.setCurrentId(selected.id);
    go({ id: null });
  };
  /** Keys apply to the focused row, whatever is selected. */
  const withTarget = (act: (passcode: Passcode) => unknown) => (): unknown => {
    const focused = document.activeElement?.getAttribute("data-row-link");
    const passcode = shown.find(({ id }) => id === focused) ?? hero;
    return passcode === undefined ? false : act(passcode);
  };
  useKeys({
    c: withTarget(({ code }) => copyText(code, "Code")),
    e: withTarget(
      (passcode) =>
        passcode.status === "active" && expirePasscode(passcode.id).then(() => announce("Code expired"), complain),
    ),
    escape: () => (address.id === null ? false : follow()),
  });
  const headScrolls = isSmall && shown.length > 0;
  const selectedId = selected?.id;
  useEffect(() => {
    if (selectedId !== undefined) top.current?.scrollIntoView({ block: "start" });
  }, [selectedId]);

  const head = (
    <div ref={top}>
      {ended !== undefined && (
        <Suspense fallback={null}>
          <NewestLogin row={ended} />
        </Suspense>
      )}
      {isGone && (
        <Empty title="Code not found">
          <p>It was deleted, or Stagedoor was reset or restarted.</p>
          <Button onClick={follow}>Show newest</Button>
        </Empty>
      )}
      {hero && (
        <Hero
          key={address.id}
          passcode={hero}
          onFollow={address.id === null ? undefined : follow}
          onSent={() => go({ id: null, show: null, q: "" }, { replace: true })}
        />
      )}
      {all.length > 0 && (
        <div className={frame["bar"]}>
          <FilterChips label="Which codes" choices={FILTERS} />
          <span className={frame["note"]}>{newestWords(all.length, total)}</span>
        </div>
      )}
    </div>
  );
  return (
    <section className="fill column" aria-labelledby="screen-title">
      <h1 id="screen-title" className="spoken">
        Codes
      </h1>
      {!headScrolls && head}
      <ListContent
        label="Passcodes"
        list={list}
        columns={COLUMNS}
        all={all}
        items={shown}
        empty={isGone ? null : <EmptyInbox appId={address.app} connect={hrefTo("setup")} />}
        noneFits="No code matches this filter"
        row={row}
        onEnd={() => setAtEnd(true)}
        head={headScrolls && head}
        renderRow={(passcode, focus) => (
          <PasscodeRow
            passcode={passcode}
            focus={focus}
            href={hrefWith({ id: passcode.id })}
            selected={passcode.id === hero?.id}
            appName={address.app === null && apps.length > 1 ? appOf(passcode.appId)?.name : undefined}
          />
        )}
      />
    </section>
  );
};
