import { Group } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLiveList } from "../../api/live-list.ts";
import { passcodeList, profileSearchQuery, sessionList } from "../../api/queries.ts";
import { Code } from "../../ui/code.tsx";
import { useNow, useRealNow } from "../../ui/parts.tsx";
import { type Guest, guestsOf } from "./guests.ts";
import classes from "./room.module.css";
import stage from "./stage.module.css";
import { useStage } from "./stage-store.ts";
import { words } from "./words.ts";

/** As many as the server lists at once. */
const MOST_GUESTS = 1_000;
/** Guests on a page, of which each is shown for this long, in milliseconds. */
const ON_PAGE = 20;
const PAGE_MS = 6_000;
const NONE = [] as const;

/** @returns who is in the room, in the order of coming. */
export const useGuests = (appId: string): readonly Guest[] => {
  const profiles = useQuery(profileSearchQuery(appId, "", MOST_GUESTS)).data?.items ?? NONE;
  const passcodes = useLiveList(passcodeList, appId).data?.items ?? NONE;
  const sessions = useLiveList(sessionList, appId).data?.items ?? NONE;
  const { own, earlier } = useStage();
  return guestsOf({ profiles, passcodes, sessions }, [...own, ...earlier], useNow(appId));
};

const Tile = ({ label, state, code }: Guest) => (
  <li className={classes["tile"]} data-state={state}>
    <bdi className={stage["private"]}>{label}</bdi>{" "}
    {state === "code" ? <Code code={code} look="live" /> : <span>{words().guests[state]}</span>}
  </li>
);

/** The phones of the room: a tile for each, in pages that turn by themselves. */
export const Room = ({ guests }: { readonly guests: readonly Guest[] }) => {
  const pages = Math.max(1, Math.ceil(guests.length / ON_PAGE));
  const page = Math.floor(useRealNow() / PAGE_MS) % pages;
  const signedIn = guests.filter(({ state }) => state === "in").length;
  return (
    <section className={classes["room"]} aria-label={words().room}>
      <Group component="h2" justify="space-between">
        <span role="status">{words().areIn(signedIn, guests.length)}</span>
        {pages > 1 && <small className="dim">{words().page(page + 1, pages)}</small>}
      </Group>
      <ol className={classes["tiles"]}>
        {guests.slice(page * ON_PAGE, (page + 1) * ON_PAGE).map((guest) => (
          <Tile key={guest.userId} {...guest} />
        ))}
      </ol>
    </section>
  );
};
