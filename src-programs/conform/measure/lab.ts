/**
 * The marked profiles of a run: at most 30, with fictional phone numbers and example.com addresses. Each is recorded
 * before it is created, so that nothing is left behind even if the run is killed. After a creation whose profile cannot
 * be identified, the run stops.
 */
import { isJsonObject, type JsonObject } from "#contract/scalars.ts";
import { RunStopped, Unanswered, Unobservable } from "./observation.ts";
import { findMarked, idIn, isMarked, PROFILES, pathOf, profileIdIn, removed, unlessSilent } from "./profile-list.ts";
import type { Reply, Service } from "./service.ts";

/** The name of all probe profiles, followed by run and number. */
export const MARK = "stagedoor-conform";
const MARK_KEY = "stagedoorConform";
const MOST_PROFILES = 30;
/** How often a creation without an answer is repeated, once it is certain that it created nothing. */
const MOST_ATTEMPTS = 3;
/** How many unanswered requests in a row end the tidying. */
const MOST_SILENCE = 3;
/** How many numbers are tried if the response blames the phone. */
const MOST_PHONES = 20;

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

type OwnProfile = Readonly<Record<"id" | "phone" | "email", string>>;
/** What a creation sends, as far as people can find a profile by it. */
type Sent = Readonly<Partial<Record<"name" | "phone" | "email", string | undefined>>>;
/** The response to a creation, and the id of the profile, if there is one. */
interface Made {
  readonly reply: Reply;
  readonly id: string | undefined;
}

const described = ({ name, phone, email }: Sent): string =>
  Object.entries({ name, phone, email })
    .flatMap(([field, value]) => (value === undefined ? [] : `${field} "${value}"`))
    .join(", ");

/** @see the file */
export class Lab {
  readonly service: Service;
  readonly run: string;
  readonly #keep: Keep;
  readonly #random: () => number;
  /** Descriptions by id. */
  readonly #profiles = new Map<string, string>();
  readonly #numbers = [...Array(100).keys()];
  /** What may exist with an unknown id. */
  #unsure: string | null = null;
  #isSearched = false;
  /** The earlier run that may have left a profile with an unknown id. */
  #earlier: string | null = null;
  #isReadable = false;
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

  freshEmail(): string {
    return `${this.run}-${Math.floor(this.#random() * 1e9)}@example.com`;
  }

  /** @returns the name of a profile of this run; one that follows the one before in the alphabet precedes the next. */
  name(suffix = String(500 + (++this.#named % 2 === 0 ? -this.#named : this.#named))): string {
    return `${MARK} ${this.run} ${suffix}`;
  }

  #save(): Promise<void> {
    return this.#keep({ run: this.run, userIds: [...this.#profiles.keys()], isUnsure: this.#unsure !== null });
  }

  /** Asks for a creation, recorded before and after. @throws RunStopped if it is unknown what was created. */
  async #making(sent: Sent, ask: () => Promise<Reply>, idOf: (reply: Reply) => Promise<string | undefined>) {
    for (let attempt = 1; ; attempt++) {
      if (this.#made >= MOST_PROFILES) throw new Unobservable(`it needs more than ${MOST_PROFILES} profiles`);
      this.#unsure = described(sent);
      this.#isSearched = false;
      await this.#save();
      try {
        const reply = await ask();
        const id = reply.status < 300 ? await idOf(reply) : undefined;
        if (id !== undefined) this.#add(id, this.#unsure);
        this.#unsure = null;
        await this.#save();
        return { reply, id } satisfies Made;
      } catch (error) {
        if (!(error instanceof Unobservable)) throw error;
        const isLost = error instanceof Unanswered;
        if (isLost) await this.#settle(error.message);
        this.#unsure = null;
        if (!isLost || attempt === MOST_ATTEMPTS) throw error;
      }
    }
  }

  #add(id: string, description: string): void {
    this.#profiles.set(id, description);
    this.#made++;
  }

  /** After a creation without an answer: deletes what it created. @throws RunStopped if that is unknown. */
  async #settle(reason: string): Promise<void> {
    if ((await this.#search(this.run)) === "unknown")
      throw new RunStopped(`A profile with ${this.#unsure} may have been created: ${reason}.`);
    await this.#save();
  }

  /** Finds and deletes unknown profiles of a run. @returns whether there was one, or certainly none. */
  async #search(run: string): Promise<"deleted" | "none" | "unknown"> {
    this.service.startProbe();
    this.#isSearched = true;
    const search = findMarked(this.service, run, [...this.#profiles.keys()]);
    const { ids, isComplete } = await unlessSilent(search, { ids: [], isComplete: false });
    const fresh = ids.filter((id) => !this.#profiles.has(id));
    for (const id of fresh) {
      if (!(await unlessSilent(isMarked(this.service, run, id), false))) return "unknown";
      this.#add(id, this.#unsure ?? "");
      if (!(await unlessSilent(this.#remove(id), false))) return "unknown";
    }
    if (fresh.length > 0) return "deleted";
    return isComplete ? "none" : "unknown";
  }

  /** @returns the id of a created profile. @throws RunStopped if it cannot be read. */
  async #idOf({ status, body }: Reply, id: string | undefined, isProven: boolean): Promise<string> {
    if (id !== undefined && (isProven || (await isMarked(this.service, this.run, id)))) return id;
    const sent = this.#unsure;
    const what = id === undefined ? "has no id that can be read" : `has the id ${id}, where the profile is not`;
    if ((await this.#search(this.run)) === "deleted") this.#unsure = null;
    const keys = isJsonObject(body) ? `an object with ${Object.keys(body).join(", ")}` : "no JSON object";
    throw new RunStopped(`The profile with ${sent} was created, but its response ${what}: status ${status}, ${keys}.`);
  }

  /** Creates a marked profile. @param fields additional fields; `name: undefined` omits the name. */
  async create(fields: Sent = {}): Promise<Made> {
    const all = { name: this.name(), metadata: { [MARK_KEY]: this.run }, ...fields };
    const body: JsonObject = JSON.parse(JSON.stringify(all));
    return await this.#making(
      all,
      () => this.service.admin("POST", PROFILES, body),
      async (reply) => {
        const id = await this.#idOf(reply, profileIdIn(reply.body), this.#isReadable);
        this.#isReadable = true;
        return id;
      },
    );
  }

  /** Starts a session, which may sign a user up. @param user as in the request. */
  async start(user: Sent, appId = this.service.appId): Promise<Made> {
    return await this.#making(
      user,
      () => this.service.session("POST", { appId, user: JSON.parse(JSON.stringify(user)) }),
      // Each is looked up: it could belong to an existing user.
      async (reply) => (reply.status === 202 ? undefined : await this.#idOf(reply, idIn(reply.body, "userId"), false)),
    );
  }

  /** Creates a marked profile with a phone number; tries another number if it is taken. */
  async createWithPhone(fields: Sent = {}) {
    for (let tries = 1; ; tries++) {
      const phone = this.freshPhone();
      const made = await this.create({ ...fields, phone });
      const isRefused = [400, 409, 422].includes(made.reply.status);
      const most = made.reply.text.includes("phone") ? MOST_PHONES : 3;
      if (!isRefused || tries === most) return { ...made, phone };
    }
  }

  /** @returns a new profile with name, phone, email and metadata. @throws Unobservable if it is refused. */
  async profile(): Promise<OwnProfile> {
    const email = this.freshEmail();
    const { id, reply, phone } = await this.createWithPhone({ email });
    if (id !== undefined) return { id, phone, email };
    throw new Unobservable(`a profile with name, phone and email is rejected with ${reply.status}`);
  }

  /** @returns the ids of the profiles of this run that exist, in order of creation. */
  ids(): readonly string[] {
    return [...this.#profiles.keys()];
  }

  /** @returns a profile shared by probes that do not affect each other. */
  shared(): Promise<OwnProfile> {
    this.#shared ??= this.profile().catch((error: unknown) => {
      this.#shared = undefined;
      throw error;
    });
    return this.#shared;
  }

  /** @returns one of our profiles. @throws Unobservable if it cannot be read. */
  async read(id: string): Promise<JsonObject> {
    const { status, body } = await this.service.admin("GET", pathOf(id));
    if (status === 200 && isJsonObject(body)) return body;
    throw new Unobservable(`a profile cannot be read: status ${status}`);
  }

  change(id: string, change: JsonObject): Promise<Reply> {
    return this.service.admin("PUT", pathOf(id), change);
  }

  async delete(id: string): Promise<Reply> {
    const reply = await this.service.admin("DELETE", pathOf(id));
    if (reply.status === 204) this.#profiles.delete(id);
    return reply;
  }

  async #remove(id: string): Promise<boolean> {
    const isGone = await removed(this.service, id);
    if (isGone) this.#profiles.delete(id);
    return isGone;
  }

  /** Deletes the leftovers of an earlier run. What cannot be deleted is left like a profile of this run. */
  async adopt({ run, userIds, isUnsure }: Leftovers): Promise<void> {
    for (const id of userIds) this.#profiles.set(id, described({ name: `${MARK} ${run} …` }));
    if (isUnsure && (await this.#search(run)) === "unknown") this.#earlier = run;
    this.service.startProbe();
    for (const id of userIds) await this.#remove(id);
  }

  /** Deletes the profiles of this run. @returns what is left, for people to delete. */
  async tidy(): Promise<readonly string[]> {
    this.service.startTidying();
    const ids = [...this.#profiles.keys()];
    // One profile that exists proves that the list shows them.
    await this.#removeAll(ids.slice(1));
    if (this.#unsure !== null && !this.#isSearched && (await this.#search(this.run)) !== "unknown") this.#unsure = null;
    if (this.#earlier !== null && (await this.#search(this.#earlier)) !== "unknown") this.#earlier = null;
    await this.#removeAll(ids.slice(0, 1));
    await this.#save();
    const url = this.service.profilesUrl;
    const known = [...this.#profiles].map(([id, what]) => `${url}/${encodeURIComponent(id)} with ${what}`);
    const earlier = this.#earlier === null ? null : described({ name: `${MARK} ${this.#earlier} …` });
    const unknown = [this.#unsure, earlier].filter((what) => what !== null);
    return [...known, ...unknown.map((what) => `${url}, unknown id, with ${what}`)];
  }

  /** Ends early if the service does not answer. */
  async #removeAll(ids: readonly string[]): Promise<void> {
    let silence = 0;
    for (const id of ids) {
      if (silence === MOST_SILENCE) break;
      const answered = this.#remove(id).then(() => true);
      silence = (await unlessSilent(answered, false)) ? 0 : silence + 1;
    }
  }
}
