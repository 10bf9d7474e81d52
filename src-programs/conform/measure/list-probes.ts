/** Probes of the profile list (D12). They check sizes and our own ids, never other people's records. */

import { isJsonArray, isJsonObject } from "#contract/scalars.ts";
import { DEFAULT_SETTINGS } from "#contract/service/effective-settings.ts";
import type { Lab } from "./lab.ts";
import { Unobservable } from "./observation.ts";
import { type Bench, type Probe, probe } from "./probe.ts";
import { PAGES, type Page, profileIdIn, readPage } from "./profile-list.ts";

const LIMITS = ["limit", "perPage", "pageSize"] as const;
/** Beyond the last page of any service. */
const FAR = 999_999;
const LARGEST = 1_000;

const list = (lab: Lab, query?: Readonly<Record<string, string | number>>): Promise<Page> =>
  readPage(lab.service, query);

const isSamePage = (a: Page, b: Page): boolean => a.ids.join() === b.ids.join() && a.size === b.size;

const need = (name: string | undefined, what: string): string => {
  if (name === undefined) throw new Unobservable(`the parameter of the ${what} is unknown`);
  return name;
};

/** @param reported the size of a page that was asked for too many; null: not in the headers. */
const cutAt = async ({ lab, found }: Bench, limit: string, page: string, reported: number | null) => {
  let size = reported;
  if (size === null) {
    const first = await list(lab, { [limit]: LARGEST + 1 });
    const second = await list(lab, { [limit]: LARGEST + 1, [page]: page === "offset" ? first.items.length : 2 });
    const count = first.items.length;
    if (second.items.length === 0) return { unknown: `there are too few profiles: ${count} fit on one page` };
    if (isSamePage(first, second)) return { unknown: "the second page of that size is the first one" };
    if ((await list(lab, { [limit]: count + 1 })).items.length !== count)
      return { other: `a size that is too large gives ${count} profiles, one of ${count + 1} does not` };
    size = count;
  }
  if (size > LARGEST) return { unknown: `sizes up to ${LARGEST + 1} are accepted` };
  found.overLimit = "cut";
  found.max = size;
  return { is: size };
};

/** How many pages are read to find so many profiles of ours, or so many of any kind. */
const MOST_PAGES = 8;
const OWN = 4;
const ANY = 50;
/** The largest page that is asked for. */
const MOST_ITEMS = 100;

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

/** In order: earlier probes find what later ones need. */
export const LIST_PROBES: readonly Probe[] = [
  probe("D12", "list.envelope", "Is the list an array, or in an envelope?", async ({ lab }) => {
    const { body } = await list(lab);
    if (isJsonArray(body)) return { is: "none" };
    if (isJsonObject(body) && isJsonArray(body["data"])) return { is: "data" };
    return { other: isJsonObject(body) ? `an object with ${Object.keys(body).join(", ")}` : "it is not JSON" };
  }),
  probe("D12", "list.limitParameter", "Which parameter sets the size of a page?", async ({ lab, found }) => {
    await lab.profile();
    await lab.profile();
    const counts: number[] = [];
    for (const name of LIMITS) {
      const one = await list(lab, { [name]: 1 });
      const two = await list(lab, { [name]: 2 });
      if (two.isTaken) counts.push(two.items.length);
      // With one item per page at most, two is rejected.
      if (one.items.length !== 1 || (two.isTaken && two.items.length !== 2)) continue;
      found.limit = name;
      return { is: name };
    }
    if (counts.includes(1)) throw new Unobservable("every page has one profile");
    return { other: `none of ${LIMITS.join(", ")} sets the size` };
  }),
  probe("D12", "list.pageParameter", "Which parameter turns the page?", async ({ lab, found }) => {
    const limit = need(found.limit, "size");
    const one = await list(lab, { [limit]: 1 });
    const two = await list(lab, { [limit]: 2 });
    for (const name of PAGES) {
      const far = await list(lab, { [name]: FAR });
      found.isFarEmpty = far.isTaken && far.items.length === 0;
      // Some services refuse pages beyond the end.
      const next = far.isTaken ? one : await list(lab, { [limit]: 1, [name]: 2 });
      if (!found.isFarEmpty && (next.items.length === 0 || isSamePage(next, one))) continue;
      const shifted = await list(lab, { [limit]: 2, [name]: 1 });
      const countsProfiles = shifted.ids[0] === two.ids[1];
      if (two.ids.length === 2 && countsProfiles !== (name === "offset"))
        return { other: `${name} counts ${countsProfiles ? "profiles" : "pages"}` };
      found.page = name;
      return { is: name };
    }
    return { other: `none of ${PAGES.join(", ")} turns the page` };
  }),
  probe("D12", "list.maxLimit", "What is the largest size of a page?", async (bench) => {
    const { lab, found } = bench;
    const limit = need(found.limit, "size");
    const page = need(found.page, "page");
    if (found.isFarEmpty !== true) throw new Unobservable("pages beyond the end are rejected");
    // No records are that far beyond the last page.
    const ask = (size: number) => list(lab, { [limit]: size, [page]: FAR });
    const beyond = await ask(LARGEST + 1);
    if (beyond.isTaken) return await cutAt(bench, limit, page, beyond.size);
    found.overLimit = "refuse";
    let taken = 1;
    let refused = LARGEST + 1;
    while (refused - taken > 1) {
      const middle = Math.floor((taken + refused) / 2);
      if ((await ask(middle)).isTaken) taken = middle;
      else refused = middle;
    }
    found.max = taken;
    return { is: taken };
  }),
  probe("D12", "list.overLimit", "What happens to a larger size?", async ({ found }) => {
    if (found.overLimit === undefined) throw new Unobservable("the largest size is unknown");
    return { is: found.overLimit };
  }),
  probe("D12", "list.defaultLimit", "What is the size of a page by default?", async ({ lab, found }) => {
    const usual = await list(lab);
    let size = usual.size;
    if (size === null) {
      const limit = need(found.limit, "size");
      const more = await list(lab, { [limit]: Math.min(usual.items.length + 1, found.max ?? LARGEST) });
      if (more.items.length <= usual.items.length)
        throw new Unobservable("there are fewer profiles than fit on a page");
      size = usual.items.length;
    }
    if (size !== found.max) return { is: size };
    const unknown = `a page has ${size} at most, so the default may be larger`;
    return DEFAULT_SETTINGS.list.defaultLimit >= size ? { unknown } : { unknown, least: size };
  }),
  probe("D12", "list.firstPage", "Which number has the first page?", async ({ lab, found }) => {
    const limit = need(found.limit, "size");
    const page = need(found.page, "page");
    if (page === "offset") throw new Unobservable("offset counts profiles");
    const at = (number: number) => list(lab, { [limit]: 1, [page]: number });
    const none = await list(lab, { [limit]: 1 });
    const zero = await at(0);
    const one = await at(1);
    if (none.items.length > 0 && isSamePage(none, one)) found.firstPage = 1;
    else if (none.items.length > 0 && isSamePage(none, zero) && one.items.length > 0) found.firstPage = 0;
    return found.firstPage === undefined
      ? { other: "neither page 0 nor page 1 is the first" }
      : { is: found.firstPage };
  }),
  probe("D12", "list.badParameter", "What happens to a page or size such as 0 or x?", async ({ lab, found }) => {
    const limit = need(found.limit, "size");
    const page = need(found.page, "page");
    const bad = [`${limit}=0`, `${limit}=x`, `${page}=x`, ...(found.firstPage === 1 ? [`${page}=0`] : [])];
    const usual = await list(lab);
    const seen = new Map<string, string>();
    for (const query of bad) {
      const given = await list(lab, Object.fromEntries([query.split("=")]));
      const isRefused = given.status === 400 || given.status === 422;
      const taken = isSamePage(given, usual)
        ? "ignored"
        : `the response is ${given.status} with ${given.items.length} profiles`;
      seen.set(query, isRefused ? "refused" : taken);
    }
    if (!isSamePage(usual, await list(lab))) throw new Unobservable("the list changes from one request to the next");
    const ways = new Set(seen.values());
    if (ways.size === 1 && ways.has("refused")) return { is: "refuse" };
    if (ways.size === 1 && ways.has("ignored")) return { is: "ignore" };
    return { other: [...seen].map(([query, way]) => `${query} is ${way}`).join(", ") };
  }),
  // Ours are named so that an order by name is neither that of creation nor its reverse.
  probe("D12", "list.order", "Which profile comes first?", async (bench) => {
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
  }),
];
