/** The probe of the order of the profile list (D12). */
import { isJsonObject } from "#contract/scalars.ts";
import { type Observation, Unobservable } from "./observation.ts";
import type { Bench } from "./probe.ts";
import { profileIdIn, readPage } from "./profile-list.ts";

/** How many pages are read to find so many profiles of ours, or so many of any kind. */
const MOST_PAGES = 8;
const OWN = 4;
const ANY = 50;
/** The largest page that is asked for. */
const MOST_ITEMS = 100;

/** @returns the beginning of the list. */
const beginning = async ({ lab, found: { limit, max, page, firstPage } }: Bench): Promise<readonly unknown[]> => {
  const size = limit === undefined || max === undefined ? {} : { [limit]: Math.min(max, MOST_ITEMS) };
  const own = lab.ids();
  const items: unknown[] = [];
  for (let turned = 0; turned < MOST_PAGES; turned++) {
    const at = page === "offset" ? items.length : (firstPage ?? 1) + turned;
    const next = await readPage(lab.service, turned === 0 || page === undefined ? size : { ...size, [page]: at });
    items.push(...next.items);
    const ours = items.filter((item) => own.includes(profileIdIn(item) ?? ""));
    if (next.items.length === 0 || page === undefined || ours.length >= OWN) break;
  }
  return items;
};

/** ISO 8601, or as in HTTP. Others, such as `05/11/2026`, can be read in several ways, and `Date.parse` guesses. */
const TIME = /^(\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?|\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT)$/;

/** @returns when a profile was created, in any unit; NaN if that is unknown. */
const createdAt = (item: unknown): number => {
  const time = isJsonObject(item) ? item["createdAt"] : undefined;
  if (typeof time === "number") return time;
  return typeof time === "string" && TIME.test(time) ? Date.parse(time) : Number.NaN;
};

/** @returns whether `b` was created after `a`: above 0, before it: below 0, unknown: 0. */
const later = (own: readonly string[], a: unknown, b: unknown): number => {
  const first = own.indexOf(profileIdIn(a) ?? "");
  const second = own.indexOf(profileIdIn(b) ?? "");
  if (first >= 0 && second >= 0) return second - first;
  return createdAt(b) - createdAt(a) || 0;
};

/** Ours are named so that an order by name is neither that of creation nor its reverse. */
export const order = async (bench: Bench): Promise<Observation> => {
  const { lab } = bench;
  await lab.profile();
  const own = lab.ids();
  const items = await beginning(bench);
  const steps = items.slice(1).map((item, at) => later(own, items[at], item));
  const up = steps.filter((step) => step > 0).length;
  const down = steps.filter((step) => step < 0).length;
  if (up > 0 && down > 0) return { other: "the order is not that of creation" };
  const ids = items.map((item) => profileIdIn(item) ?? "");
  const ours = ids.filter((id) => own.includes(id));
  if (up + down < 2 || (ours.length < OWN && items.length < ANY))
    throw new Unobservable("when the first profiles of the list were created is unknown");
  const changed = ours[Math.floor((ours.length - 1) / 2)];
  if (changed !== undefined) await lab.change(changed, { name: lab.name() });
  const after = (await beginning(bench)).map((item) => profileIdIn(item) ?? "");
  if (after.join() !== ids.join()) return { other: "the order changes with an update, or by itself" };
  return { is: up > 0 ? "oldest" : "newest" };
};
