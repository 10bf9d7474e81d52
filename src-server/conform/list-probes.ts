/** Probes of the profile list (D12). They check sizes and our own ids, never other people's records. */
import { DEFAULT_SETTINGS } from "#contract/effective-settings.ts";
import { isJsonObject } from "#contract/scalars.ts";
import type { Lab } from "./lab.ts";
import { type Observation, Unobservable } from "./observation.ts";
import { type Bench, type Probe, probe } from "./probe.ts";
import { itemsIn, PAGES, profileIdIn } from "./profile-list.ts";

const LIMITS = ["limit", "perPage", "pageSize"] as const;
/** Beyond the last page of any service. */
const FAR = 999_999;
const LARGEST = 1_000;

/** @returns a page; `size` is the page size that the service reports, null if it does not. */
const list = async (lab: Lab, query = "") => {
  const { status, headers, body } = await lab.service.admin("GET", `/v1/profiles${query}`);
  const size = Number(headers["page-items"] ?? Number.NaN);
  const isTaken = status === 200;
  return { isTaken, items: isTaken ? (itemsIn(body) ?? []) : [], body, size: Number.isInteger(size) ? size : null };
};

const need = (name: string | undefined, what: string): string => {
  if (name === undefined) throw new Unobservable(`the parameter of the ${what} is unknown`);
  return name;
};

const limitParameter = async ({ lab, found }: Bench): Promise<Observation> => {
  await lab.profile();
  await lab.profile();
  for (const name of LIMITS) {
    const one = await list(lab, `?${name}=1`);
    const two = await list(lab, `?${name}=2`);
    // With one item per page at most, two is rejected.
    if (one.items.length !== 1 || (two.isTaken && two.items.length !== 2)) continue;
    found.limit = name;
    return { is: name };
  }
  return { other: `none of ${LIMITS.join(", ")} sets the size` };
};

const pageParameter = async ({ lab, found }: Bench): Promise<Observation> => {
  for (const name of PAGES) {
    const far = await list(lab, `?${name}=${FAR}`);
    if (!far.isTaken || far.items.length > 0) continue;
    found.page = name;
    return { is: name };
  }
  return { other: `none of ${PAGES.join(", ")} turns the page` };
};

const maxLimit = async ({ lab, found }: Bench): Promise<Observation> => {
  const [limit, page] = [need(found.limit, "size"), need(found.page, "page")];
  // No records are that far beyond the last page.
  const ask = (size: number) => list(lab, `?${limit}=${size}&${page}=${FAR}`);
  const beyond = await ask(LARGEST + 1);
  if (beyond.isTaken)
    return beyond.size !== null && beyond.size <= LARGEST
      ? { other: `a larger size is cut to ${beyond.size}` }
      : { unknown: `sizes up to ${LARGEST + 1} are accepted, or cut without a word` };
  let taken = 1;
  let refused = LARGEST + 1;
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if ((await ask(middle)).isTaken) taken = middle;
    else refused = middle;
  }
  found.max = taken;
  return { is: taken };
};

const defaultLimit = async ({ lab, found }: Bench): Promise<Observation> => {
  const usual = await list(lab);
  let size = usual.size;
  if (size === null) {
    const limit = need(found.limit, "size");
    const more = await list(lab, `?${limit}=${Math.min(usual.items.length + 1, found.max ?? LARGEST)}`);
    if (more.items.length <= usual.items.length) throw new Unobservable("there are fewer profiles than fit on a page");
    size = usual.items.length;
  }
  if (size !== found.max) return { is: size };
  const unknown = `a page has ${size} at most, so the default may be larger`;
  return DEFAULT_SETTINGS.list.defaultLimit >= size ? { unknown } : { unknown, least: size };
};

const envelope = async ({ lab }: Bench): Promise<Observation> => {
  const { body } = await list(lab);
  if (Array.isArray(body)) return { is: "none" };
  if (isJsonObject(body) && Array.isArray(body["data"])) return { is: "data" };
  return { other: isJsonObject(body) ? `an object with ${Object.keys(body).join(", ")}` : "it is no JSON" };
};

const createdAt = (item: unknown): number => Date.parse(isJsonObject(item) ? String(item["createdAt"]) : "");

const order = async ({ lab }: Bench): Promise<Observation> => {
  const { id } = await lab.profile();
  const [first] = (await list(lab)).items;
  if (profileIdIn(first) === id) return { is: "newest" };
  const own = await lab.read(id);
  if (createdAt(first) <= createdAt(own)) return { is: "oldest" };
  return { other: "neither the oldest nor the newest is first" };
};

/** In order: earlier probes find what later ones need. */
export const LIST_PROBES: readonly Probe[] = [
  probe("D12", "list.envelope", "Is the list an array, or in an envelope?", envelope),
  probe("D12", "list.limitParameter", "Which parameter sets the size of a page?", limitParameter),
  probe("D12", "list.pageParameter", "Which parameter turns the page?", pageParameter),
  probe("D12", "list.maxLimit", "What is the largest size of a page?", maxLimit),
  probe("D12", "list.defaultLimit", "What is the size of a page by default?", defaultLimit),
  probe("D12", "list.order", "Which profile comes first?", order),
];
