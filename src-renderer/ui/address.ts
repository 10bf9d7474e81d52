/** The URL is the state of the page: screen, selected row, app, filter and search text. */
import { useLocation, useSearch } from "wouter";
import { PLACES, type RailPlace, SCREENS, type Screen } from "#contract/control/screens.ts";

/** The state in a URL. */
export interface Address {
  /** Undefined if there is no such screen. */
  readonly screen: Screen | undefined;
  readonly id: string | null;
  readonly app: string | null;
  /** The filter of the list; null: no filter. */
  readonly show: string | null;
  readonly q: string;
}

/** @returns the filter in the URL; null if it is none of the choices. */
export const shownOf = <T extends string>(show: string | null, choices: readonly (T | null)[]): T | null =>
  choices.find((choice) => choice === show) ?? null;

/** @returns screen and row in a path. */
export const readPath = (path: string): Pick<Address, "screen" | "id"> => {
  const [, place = "", tab = "", below] = path.split("/");
  const whole = SCREENS.find((known) => known === `${place}/${tab}`);
  const screen = place === "" ? "codes" : (whole ?? SCREENS.find((known) => known === place));
  const id = whole === undefined ? tab : below;
  return { screen, id: id === undefined || id === "" ? null : decodeURIComponent(id) };
};

/** @returns the place of the rail that a screen belongs to. */
export const railPlaceOf = (screen: Screen | undefined): RailPlace | undefined =>
  PLACES.find((place) => place === screen?.split("/")[0]);

const hrefOf = ({ screen = "codes", id, app, show, q }: Address): string => {
  const search = new URLSearchParams();
  if (app !== null) search.set("app", app);
  if (show !== null) search.set("show", show);
  if (q !== "") search.set("q", q);
  const path = id === null ? `/${screen}` : `/${screen}/${encodeURIComponent(id)}`;
  return search.size > 0 ? `${path}?${search}` : path;
};

/** @returns the state of the URL, a function that changes part of it (`replace`: without a history entry), and the URLs
 * of such a change and of another screen. */
export const useAddress = () => {
  const [path, navigate] = useLocation();
  const search = new URLSearchParams(useSearch());
  const address: Address = {
    ...readPath(path),
    app: search.get("app"),
    show: search.get("show"),
    q: search.get("q") ?? "",
  };
  const hrefWith = (change: Partial<Address>): string => hrefOf({ ...address, ...change });
  return {
    address,
    hrefWith,
    go: (change: Partial<Address>, options?: { replace?: boolean }): void => {
      // What was pressed on a screen that has been left since, while the server was slow, leads nowhere.
      if (readPath(window.location.pathname).screen === address.screen) navigate(hrefWith(change), options);
    },
    hrefTo: (screen: Screen, part?: Partial<Address>) => hrefWith({ screen, id: null, show: null, q: "", ...part }),
  };
};
