/** Probes of the profile list (D12). They check sizes and our own ids, never other people's records. */
import { DEFAULT_SETTINGS } from "#contract/effective-settings.ts";
import { isJsonObject } from "#contract/scalars.ts";
import { itemsIn, type Lab } from "./lab.ts";
import { type Observation, Unobservable } from "./observation.ts";
import type { Probe } from "./probe.ts";

const PAGES = ["page", "pageNumber", "offset"] as const;
const LIMITS = ["limit", "perPage", "pageSize"] as const;
/** Beyond the last page of any service. */
const FAR = 999_999;
const LARGEST = 1_000;

/** What the list probes have found so far. */
interface Known {
  limit: string | null;
  page: string | null;
  max: number | null;
}

const list = async (lab: Lab, query = "") => {
  const reply = await lab.service.admin("GET", `/v1/profiles${query}`);
  const size = Number(reply.headers["page-items"] ?? Number.NaN);
  return {
    isTaken: reply.status === 200,
    items: reply.status === 200 ? (itemsIn(reply.body) ?? []) : [],
    body: reply.body,
    /** The page size that the service reports. */
    size: Number.isInteger(size) ? size : null,
  };
};

const need = (name: string | null, what: string): string => {
  if (name === null) throw new Unobservable(`the parameter of the ${what} is unknown`);
  return name;
};

const limitParameter = async (lab: Lab, known: Known): Promise<Observation> => {
  await lab.profile();
  await lab.profile();
  for (const name of LIMITS) {
    const one = await list(lab, `?${name}=1`);
    const two = await list(lab, `?${name}=2`);
    // With one item per page at most, two is rejected.
    if (one.items.length !== 1 || (two.isTaken && two.items.length !== 2)) continue;
    known.limit = name;
    return { is: name };
  }
  return { other: `none of ${LIMITS.join(", ")} sets the size` };
};

const pageParameter = async (lab: Lab, known: Known): Promise<Observation> => {
  for (const name of PAGES) {
    const far = await list(lab, `?${name}=${FAR}`);
    if (!far.isTaken || far.items.length > 0) continue;
    known.page = name;
    return { is: name };
  }
  return { other: `none of ${PAGES.join(", ")} turns the page` };
};

const maxLimit = async (lab: Lab, known: Known): Promise<Observation> => {
  const [limit, page] = [need(known.limit, "size"), need(known.page, "page")];
  // No records are that far beyond the last page.
  const ask = (size: number) => list(lab, `?${limit}=${size}&${page}=${FAR}`);
  const beyond = await ask(LARGEST + 1);
  if (beyond.isTaken)
    return beyond.size !== null && beyond.size <= LARGEST
      ? { other: `a larger size is cut to ${beyond.size}` }
      : { unknown: `sizes up to ${LARGEST + 1} are accepted, or cut without a word` };
  let [taken, refused] = [1, LARGEST + 1];
  while (refused - taken > 1) {
    const middle = Math.floor((taken + refused) / 2);
    if ((await ask(middle)).isTaken) taken = middle;
    else refused = middle;
  }
  known.max = taken;
  return { is: taken };
};

const defaultLimit = async (lab: Lab, known: Known): Promise<Observation> => {
  const usual = await list(lab);
  let found = usual.size;
  if (found === null) {
    const limit = need(known.limit, "size");
    const more = await list(lab, `?${limit}=${Math.min(usual.items.length + 1, known.max ?? LARGEST)}`);
    if (more.items.length <= usual.items.length) throw new Unobservable("there are fewer profiles than fit on a page");
    found = usual.items.length;
  }
  if (found !== known.max) return { is: found };
  const isFollowed = DEFAULT_SETTINGS.list.defaultLimit >= found;
  return {
    unknown: `a page has ${found} at most, so the default may be larger`,
    ...(isFollowed ? {} : { least: found }),
  };
};

const envelope = async (lab: Lab): Promise<Observation> => {
  const { body } = await list(lab);
  if (Array.isArray(body)) return { is: "none" };
  if (isJsonObject(body) && Array.isArray(body["data"])) return { is: "data" };
  return { other: isJsonObject(body) ? `an object with ${Object.keys(body).join(", ")}` : "it is no JSON" };
};

const idOf = (item: unknown): unknown => (isJsonObject(item) ? (item["userId"] ?? item["id"]) : undefined);
const createdAt = (item: unknown): number => Date.parse(isJsonObject(item) ? String(item["createdAt"]) : "");

const order = async (lab: Lab): Promise<Observation> => {
  const { id } = await lab.profile();
  const [first] = (await list(lab)).items;
  if (idOf(first) === id) return { is: "newest" };
  const own = await lab.read(id);
  if (createdAt(first) <= createdAt(own)) return { is: "oldest" };
  return { other: "neither the oldest nor the newest is first" };
};

/** @returns the probes, in order; they share their findings. */
export const listProbes = (): readonly Probe[] => {
  const known: Known = { limit: null, page: null, max: null };
  const probe = (
    setting: keyof typeof DEFAULT_SETTINGS.list,
    question: string,
    run: (lab: Lab, known: Known) => Promise<Observation>,
  ): Probe => ({ decision: "D12", setting: `list.${setting}`, question, run: ({ lab }) => run(lab, known) });
  return [
    probe("envelope", "Is the list an array, or in an envelope?", envelope),
    probe("limitParameter", "Which parameter sets the size of a page?", limitParameter),
    probe("pageParameter", "Which parameter turns the page?", pageParameter),
    probe("maxLimit", "What is the largest size of a page?", maxLimit),
    probe("defaultLimit", "What is the size of a page by default?", defaultLimit),
    probe("order", "Which profile comes first?", order),
  ];
};
