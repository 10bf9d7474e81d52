/**
 * The profiles that a run makes, marked as its own: at most 30, with numbers for fiction and addresses of example.com. The
 * ledger knows each before it is made, so that nothing is left behind, whenever the run is killed.
 */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { Unobservable } from "./observation.ts";
import type { Reply, Service } from "./service.ts";

/** How the profiles of all runs are called, followed by the run and a number. */
export const MARK = "stagedoor-conform";
const MARK_KEY = "stagedoorConform";
const MOST_PROFILES = 30;
const NUMBERS = 100;
const PROFILES = "/v1/profiles";
/** Pages that are gone through for profiles whose id never came. */
const MOST_PAGES = 20_000;

/** What has to be tidied up, if the run does not come to it. */
export interface Leftovers {
  /** Marks the profiles of the run. */
  readonly run: string;
  readonly userIds: readonly string[];
  /** Whether a profile may exist whose id is unknown: the answer to its creation never came. */
  readonly isUnsure: boolean;
}

/** Keeps the leftovers where the next run finds them; resolves when that is safe. */
export type Keep = (leftovers: Leftovers) => Promise<void>;

/** @returns the id in the answer to a creation, a list item or a session. */
const idIn = (body: unknown): string | undefined => {
  if (!isJsonObject(body)) return undefined;
  const id = body["userId"] ?? body["id"];
  return typeof id === "string" ? id : undefined;
};

/** @returns the items of a list, as an array or in an envelope; undefined if it is none. */
export const itemsIn = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  return Object.values(body).find((value) => Array.isArray(value));
};

/** A profile of this run. */
interface OwnProfile {
  readonly id: string;
  readonly phone: string;
  readonly email: string;
}

/** @see the file */
export class Lab {
  readonly service: Service;
  readonly run: string;
  readonly #keep: Keep;
  readonly #random: () => number;
  readonly #ids = new Set<string>();
  readonly #numbers: number[] = Array.from({ length: NUMBERS }, (_, n) => n);
  #isUnsure = false;
  #made = 0;
  #named = 0;
  #shared: Promise<OwnProfile> | undefined;
  /** The fields without which the service makes no profile; a probe finds them. */
  required: readonly string[] = ["name", "phone", "email"];

  constructor(service: Service, run: string, keep: Keep, random: () => number) {
    this.service = service;
    this.run = run;
    this.#keep = keep;
    this.#random = random;
  }

  /** @returns a number for fiction that this run has not used yet. */
  freshPhone(): string {
    const [number = 0] = this.#numbers.splice(Math.floor(this.#random() * this.#numbers.length), 1);
    return `+120255501${String(number).padStart(2, "0")}`;
  }

  /** @returns an address that nobody has. */
  freshEmail(): string {
    return `${this.run}-${Math.floor(this.#random() * 1e9)}@example.com`;
  }

  /** @returns the name of a profile of this run. */
  name(suffix = String(++this.#named)): string {
    return `${MARK} ${this.run} ${suffix}`;
  }

  #leftovers(): Leftovers {
    return { run: this.run, userIds: [...this.#ids], isUnsure: this.#isUnsure };
  }

  /** Makes a profile by `ask`, known to the ledger before and after. @returns the answer, with the id of what was made. */
  async making(ask: () => Promise<Reply>): Promise<{ readonly reply: Reply; readonly id: string | undefined }> {
    if (this.#made >= MOST_PROFILES) throw new Unobservable(`it needs more than ${MOST_PROFILES} profiles`);
    const wasUnsure = this.#isUnsure;
    this.#isUnsure = true;
    await this.#keep(this.#leftovers());
    const reply = await ask();
    const id = reply.status < 300 ? idIn(reply.body) : undefined;
    if (id !== undefined) this.#ids.add(id);
    if (id !== undefined || reply.retried) this.#made++;
    // An earlier try may have made one too.
    const isLost = reply.retried || (reply.status < 300 && reply.status !== 202 && id === undefined);
    this.#isUnsure = wasUnsure || isLost;
    await this.#keep(this.#leftovers());
    return { reply, id };
  }

  /** POSTs a profile with a mark. @param fields besides the mark; `name: undefined` leaves the name out. */
  async create(fields: Readonly<Record<string, string | undefined>> = {}) {
    const body: JsonObject = { name: this.name(), metadata: { [MARK_KEY]: this.run } };
    for (const [key, value] of Object.entries(fields)) {
      if (value === undefined) delete body[key];
      else body[key] = value;
    }
    return await this.making(() => this.service.admin("POST", PROFILES, body));
  }

  /** The same with a number of its own, and with another where somebody has that one. */
  async createWithPhone(fields: Readonly<Record<string, string | undefined>> = {}) {
    for (let tries = 1; ; tries++) {
      const phone = this.freshPhone();
      const made = await this.create({ ...fields, phone });
      if (made.id !== undefined || made.reply.status !== 422 || tries === 3) return { ...made, phone };
    }
  }

  /** @returns a new profile with name, phone, email and metadata. @throws Unobservable if it is refused. */
  async profile(): Promise<OwnProfile> {
    const email = this.freshEmail();
    const { id, reply, phone } = await this.createWithPhone({ email });
    if (id !== undefined) return { id, phone, email };
    throw new Unobservable(`a profile with name, phone and email is refused with ${reply.status}`);
  }

  /** @returns the profile that probes share which change nothing for each other. */
  shared(): Promise<OwnProfile> {
    this.#shared ??= this.profile();
    return this.#shared;
  }

  /** @returns a profile of ours, as it is. @throws Unobservable if it cannot be read. */
  async read(id: string): Promise<JsonObject> {
    const { status, body } = await this.service.admin("GET", `${PROFILES}/${id}`);
    if (status === 200 && isJsonObject(body)) return body;
    throw new Unobservable(`a profile cannot be read: status ${status}`);
  }

  /** Changes a profile of ours. */
  change(id: string, change: JsonObject): Promise<Reply> {
    return this.service.admin("PUT", `${PROFILES}/${id}`, change);
  }

  /** Deletes a profile of ours. */
  async delete(id: string): Promise<Reply> {
    const reply = await this.service.admin("DELETE", `${PROFILES}/${id}`);
    if ([200, 202, 204, 404, 410].includes(reply.status)) this.#ids.delete(id);
    return reply;
  }

  /** Deletes what an earlier run has left. */
  async adopt({ run, userIds, isUnsure }: Leftovers): Promise<number> {
    const ids = new Set(userIds);
    if (isUnsure) for (const id of await this.#marked(run)) ids.add(id);
    for (const id of ids) await this.delete(id);
    return ids.size;
  }

  /** Deletes what this run has made. @returns whether nothing is left. */
  async tidy(): Promise<boolean> {
    if (this.#isUnsure) for (const id of await this.#marked(this.run)) this.#ids.add(id);
    this.#isUnsure = false;
    for (const id of [...this.#ids]) await this.delete(id);
    await this.#keep(this.#leftovers());
    return this.#ids.size === 0;
  }

  /** Goes through the whole list, whatever its parameters are called: a service passes over those that it does not know. */
  async #marked(run: string): Promise<string[]> {
    const found: string[] = [];
    const seen = new Set<string>();
    for (let page = 1; page <= MOST_PAGES; page++) {
      const query = `?page=${page}&pageNumber=${page}&offset=${seen.size}`;
      const items = itemsIn((await this.service.admin("GET", PROFILES + query)).body) ?? [];
      const fresh = items.filter((item) => !seen.has(idIn(item) ?? ""));
      if (fresh.length === 0) break;
      for (const item of fresh) {
        const id = idIn(item);
        if (id === undefined || !isJsonObject(item)) continue;
        seen.add(id);
        const { name, metadata } = item;
        const isNamed = typeof name === "string" && name.startsWith(`${MARK} ${run} `);
        if (isNamed || (isJsonObject(metadata) && metadata[MARK_KEY] === run)) found.push(id);
      }
    }
    return found;
  }
}
