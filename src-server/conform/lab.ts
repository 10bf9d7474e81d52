/**
 * The marked profiles of a run: at most 30, with fictional phone numbers and example.com addresses. Each is recorded
 * before it is created, so that nothing is left behind even if the run is killed.
 */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { Unobservable } from "./observation.ts";
import type { Reply, Service } from "./service.ts";

/** The name of all probe profiles, followed by run and number. */
export const MARK = "stagedoor-conform";
const MARK_KEY = "stagedoorConform";
const MOST_PROFILES = 30;
const PROFILES = "/v1/profiles";
/** Maximum number of pages to search for profiles with unknown ids. */
const MOST_PAGES = 20_000;

/** What must be deleted later if the run is interrupted. */
export interface Leftovers {
  /** The mark of the run's profiles. */
  readonly run: string;
  readonly userIds: readonly string[];
  /** Whether a profile with an unknown id may exist, because the response to its creation never arrived. */
  readonly isUnsure: boolean;
}

/** Saves the leftovers for the next run; resolves once they are safe. */
export type Keep = (leftovers: Leftovers) => Promise<void>;

/** @returns the id in the response to a creation, a list item or a session. */
export const idIn = (body: unknown): string | undefined => {
  if (!isJsonObject(body)) return undefined;
  const id = body["userId"] ?? body["id"];
  return typeof id === "string" ? id : undefined;
};

/** @returns the items of a list, with or without an envelope; undefined if it is not a list. */
export const itemsIn = (body: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  return Object.values(body).find((value) => Array.isArray(value));
};

type OwnProfile = Readonly<Record<"id" | "phone" | "email", string>>;

/** @see the file */
export class Lab {
  readonly service: Service;
  readonly run: string;
  readonly #keep: Keep;
  readonly #random: () => number;
  readonly #ids = new Set<string>();
  readonly #numbers = [...Array(100).keys()];
  #isUnsure = false;
  #made = 0;
  #named = 0;
  #shared: Promise<OwnProfile> | undefined;

  constructor(service: Service, run: string, keep: Keep, random: () => number) {
    this.service = service;
    this.run = run;
    this.#keep = keep;
    this.#random = random;
  }

  /** @returns a fictional phone number not used in this run yet. */
  freshPhone(): string {
    const [number = 0] = this.#numbers.splice(Math.floor(this.#random() * this.#numbers.length), 1);
    return `+120255501${String(number).padStart(2, "0")}`;
  }

  /** @returns an unused email address. */
  freshEmail(): string {
    return `${this.run}-${Math.floor(this.#random() * 1e9)}@example.com`;
  }

  /** @returns the name of a profile of this run. */
  name(suffix = String(++this.#named)): string {
    return `${MARK} ${this.run} ${suffix}`;
  }

  #save(): Promise<void> {
    return this.#keep({ run: this.run, userIds: [...this.#ids], isUnsure: this.#isUnsure });
  }

  /** Creates a profile with `ask`, recorded before and after. @returns the response and the id of the profile. */
  async making(ask: () => Promise<Reply>): Promise<{ readonly reply: Reply; readonly id: string | undefined }> {
    if (this.#made >= MOST_PROFILES) throw new Unobservable(`it needs more than ${MOST_PROFILES} profiles`);
    const wasUnsure = this.#isUnsure;
    this.#isUnsure = true;
    await this.#save();
    const reply = await ask();
    const id = reply.status < 300 ? idIn(reply.body) : undefined;
    if (id !== undefined) this.#ids.add(id);
    if (id !== undefined || reply.retried) this.#made++;
    // An earlier attempt may have created one too.
    const isLost = reply.retried || (reply.status < 300 && reply.status !== 202 && id === undefined);
    this.#isUnsure = wasUnsure || isLost;
    await this.#save();
    return { reply, id };
  }

  /** Creates a marked profile. @param fields additional fields; `name: undefined` omits the name. */
  async create(fields: Readonly<Record<string, string | undefined>> = {}) {
    const all = { name: this.name(), metadata: { [MARK_KEY]: this.run }, ...fields };
    const body: JsonObject = JSON.parse(JSON.stringify(all));
    return await this.making(() => this.service.admin("POST", PROFILES, body));
  }

  /** The same with a phone number; tries another one if it is taken. */
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

  /** @returns a profile shared by probes that do not affect each other. */
  shared(): Promise<OwnProfile> {
    this.#shared ??= this.profile();
    return this.#shared;
  }

  /** @returns one of our profiles. @throws Unobservable if it cannot be read. */
  async read(id: string): Promise<JsonObject> {
    const { status, body } = await this.service.admin("GET", `${PROFILES}/${id}`);
    if (status === 200 && isJsonObject(body)) return body;
    throw new Unobservable(`a profile cannot be read: status ${status}`);
  }

  /** Updates one of our profiles. */
  change(id: string, change: JsonObject): Promise<Reply> {
    return this.service.admin("PUT", `${PROFILES}/${id}`, change);
  }

  /** Deletes one of our profiles. */
  async delete(id: string): Promise<Reply> {
    const reply = await this.service.admin("DELETE", `${PROFILES}/${id}`);
    if ([200, 202, 204, 404, 410].includes(reply.status)) this.#ids.delete(id);
    return reply;
  }

  /** Deletes the leftovers of an earlier run. */
  async adopt({ run, userIds, isUnsure }: Leftovers): Promise<void> {
    const ids = new Set([...userIds, ...(isUnsure ? await this.#marked(run) : [])]);
    for (const id of ids) await this.delete(id);
  }

  /** Deletes the profiles of this run. @returns whether all are gone. */
  async tidy(): Promise<boolean> {
    if (this.#isUnsure) for (const id of await this.#marked(this.run)) this.#ids.add(id);
    this.#isUnsure = false;
    for (const id of [...this.#ids]) await this.delete(id);
    await this.#save();
    return this.#ids.size === 0;
  }

  /** Searches the whole list with every possible parameter name: a service ignores those that it does not know. */
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
