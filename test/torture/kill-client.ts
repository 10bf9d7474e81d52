/**
 * A client of the server that is killed: it uses an app of its own, and knows what that must contain and what the
 * pending request would change.
 */
import { type Call, caller } from "#test/hosts/client.ts";
import type { Chance } from "./chance.ts";
import { copyOf, type Effect, type Held, heldIn, type Person, textOf } from "./kill-model.ts";

/** @see KillClient.work */
export class Wrong extends Error {}

/** @see the file */
export class KillClient {
  readonly appId: string;
  readonly #chance: Chance;
  readonly #admin: Call;
  readonly #auth: Call;
  readonly #control: Call;
  #held: Held = { people: new Map(), codes: new Map(), sessions: new Map() };
  /** The request without a response, if the server is gone. */
  #underWay: Effect | undefined;
  /** The snapshot that a restore uses, and the state at each save, by the number of the last change. */
  #saved: Held | undefined;
  readonly #saves = new Map<number, Held>();
  /** A save without a response. */
  #saving: Held | undefined;
  /** The snapshot known to be stored, by its number. */
  #stored = -1;
  #next = 0;
  /** How many requests were answered. */
  answered = 0;

  /** @param urls read at every call, since a restart changes them. */
  constructor(
    n: number,
    chance: Chance,
    urls: () => { readonly adminUrl: string; readonly authUrl: string; readonly consoleUrl: string },
  ) {
    this.appId = `kill-${n}`;
    this.#chance = chance;
    this.#admin = caller(() => urls().adminUrl, { Authorization: `Bearer sk_${this.appId}` });
    this.#auth = caller(() => urls().authUrl);
    this.#control = caller(() => `${urls().consoleUrl}/emulator/v1`);
  }

  /** Creates the app. */
  async begin(): Promise<void> {
    await this.#control("POST", "/apps", {
      appId: this.appId,
      secret: `sk_${this.appId}`,
      settings: { validation: "lenient" },
    });
  }

  /** Works until the server is gone. @throws Wrong on an incorrect response. */
  async work(): Promise<void> {
    try {
      for (;;) await this.#step();
    } catch (error) {
      if (error instanceof Wrong) throw error;
    }
  }

  /** Compares the state after a restart with the expected one. @returns what is wrong; undefined: nothing. */
  async compare(): Promise<string | undefined> {
    const found = await this.#found();
    const after = copyOf(this.#held);
    this.#underWay?.(after, found);
    this.#underWay = undefined;
    const [is, before, then] = [textOf(found), textOf(this.#held), textOf(after)];
    this.#held = found;
    if (is === before || is === then) return undefined;
    let at = 0;
    while (is[at] === before[at]) at += 1;
    return `${this.appId}: found …${is.slice(Math.max(0, at - 90), at + 160)}… where …${before.slice(Math.max(0, at - 90), at + 160)}… was answered`;
  }

  /** Checks the snapshot after a restart. @returns what is wrong; undefined: nothing. */
  async compareSnapshot(): Promise<string | undefined> {
    const { items } = (await this.#control("GET", `/snapshots?appId=${this.appId}`)).json;
    const seq: number | undefined = items[0]?.seq;
    if ((seq ?? -1) < this.#stored)
      return `${this.appId}: a snapshot that was stored is gone, or an older one is there`;
    this.#saved = seq === undefined ? undefined : (this.#saves.get(seq) ?? this.#saving);
    if (seq !== undefined && this.#saved === undefined) return `${this.appId}: a snapshot of nobody is there`;
    if (seq !== undefined && this.#saved !== undefined) this.#saves.set(seq, this.#saved);
    this.#saving = undefined;
    this.#stored = seq ?? -1;
    return undefined;
  }

  /** Tries some earlier codes and sessions. @returns what is wrong; undefined: nothing. */
  async prove(): Promise<string | undefined> {
    const { people, codes } = this.#held;
    const all = [...codes];
    const used = all.filter(([, { state }]) => state === "used").slice(-2);
    const active = all.filter(([, { state }]) => state === "active").slice(-1);
    for (const [userId, { code }] of used) {
      const { status, reason } = await this.#logIn(people.get(userId)?.phone, code);
      if (status !== 401 || reason !== "passcode_used") return `${this.appId}: a used code gave ${status} ${reason}`;
    }
    for (const [userId, { code }] of active) {
      const { status, json } = await this.#logIn(people.get(userId)?.phone, code);
      if (status !== 200) return `${this.appId}: a code from before gave ${status}`;
      codes.set(userId, { code, state: "used" });
      this.#held.sessions.set(json.id, userId);
      const { json: told } = await this.#control("POST", "/sessions/introspect", { token: json.token });
      if (told.active !== true) return `${this.appId}: a new token is not active`;
    }
    return undefined;
  }

  async #found(): Promise<Held> {
    const { json } = await this.#control("GET", `/state?volatile=1&appId=${this.appId}`);
    return heldIn(json.apps[0]);
  }

  #logIn(phone: string | undefined, passcode: string) {
    return this.#auth("PUT", "/v1/users/session", { appId: this.appId, user: { phone }, passcode });
  }

  /** Sends a request with a known effect, except for what `found` reports. @param effect applied on the response. */
  async #ask(
    call: () => ReturnType<Call>,
    status: number,
    effect: Effect,
    learn: (json: ReturnType<JSON["parse"]>) => Held | Promise<Held>,
  ) {
    this.#underWay = effect;
    const reply = await call();
    if (reply.status !== status)
      throw new Wrong(`${this.appId}: ${reply.status} ${reply.text} where ${status} should be`);
    effect(this.#held, await learn(reply.json));
    this.#underWay = undefined;
    this.answered += 1;
  }

  #someone(): [string, Person] | undefined {
    const all = [...this.#held.people];
    return all.length === 0 ? undefined : this.#chance.pick(all);
  }

  #phone(): string {
    this.#next += 1;
    return `+1${(2_000_000_000 + this.#next).toString()}`;
  }

  async #step(): Promise<void> {
    const chance = this.#chance;
    const kind = chance.next();
    const one = this.#someone();
    if (one === undefined || (kind < 0.14 && this.#held.people.size < 60)) return this.#signUp();
    if (kind < 0.34) return this.#code(one);
    if (kind < 0.72) return this.#update(one);
    if (kind < 0.85) return this.#remove(one[0]);
    if (kind < 0.9) return this.#import();
    return kind < 0.95 ? this.#save() : this.#restore();
  }

  #signUp(): Promise<void> {
    const phone = this.#phone();
    const effect: Effect = (held, found) => {
      const id = [...found.people].find(([, person]) => person.phone === phone)?.[0];
      if (id === undefined) return;
      held.people.set(id, { phone, name: null, pad: 0 });
      for (const [session, userId] of found.sessions) if (userId === id) held.sessions.set(session, id);
    };
    const body = { appId: this.appId, user: { phone } };
    return this.#ask(
      () => this.#auth("POST", "/v1/users/session", body),
      200,
      effect,
      ({ id, userId }) => ({
        people: new Map([[userId, { phone, name: null, pad: 0 }]]),
        codes: new Map(),
        sessions: new Map([[id, userId]]),
      }),
    );
  }

  /** Requests a code, or uses the existing one. */
  async #code([userId, { phone }]: [string, Person]): Promise<void> {
    const known = this.#held.codes.get(userId);
    if (known?.state === "active") {
      const effect: Effect = (held, found) => {
        held.codes.set(userId, { ...known, state: "used" });
        for (const [session, owner] of found.sessions) if (owner === userId) held.sessions.set(session, userId);
      };
      return this.#ask(
        () => this.#logIn(phone, known.code),
        200,
        effect,
        ({ id }) => ({
          people: new Map(),
          codes: new Map(),
          sessions: new Map([[id, userId]]),
        }),
      );
    }
    const effect: Effect = (held, found) => {
      const code = found.codes.get(userId);
      if (code !== undefined) held.codes.set(userId, code);
    };
    const body = { appId: this.appId, user: { phone } };
    const read = `/passcodes/latest?appId=${this.appId}&to=${encodeURIComponent(phone)}`;
    return this.#ask(
      () => this.#auth("POST", "/v1/users/session", body),
      202,
      effect,
      async () => {
        const { json } = await this.#control("GET", read);
        return {
          people: new Map(),
          codes: new Map([[userId, { code: json.code, state: "active" }]]),
          sessions: new Map(),
        };
      },
    );
  }

  /** Long texts make the journal outgrow the document file many times a second; short ones keep that file small. */
  #update(one: [string, Person]): Promise<void> {
    const [userId, person] = [...this.#held.people].find(([, { pad }]) => pad > 0) ?? one;
    const pad = person.pad > 0 ? 0 : this.#chance.between(100_000, 400_000);
    const next = { ...person, name: `Name ${this.#chance.below(1_000)}`, pad };
    const body = { name: next.name, metadata: pad === 0 ? null : { pad: "x".repeat(pad) } };
    const effect: Effect = (held) => void held.people.set(userId, next);
    return this.#ask(
      () => this.#admin("PUT", `/v1/profiles/${userId}`, body),
      200,
      effect,
      () => this.#held,
    );
  }

  #remove(userId: string): Promise<void> {
    const effect: Effect = (held) => {
      held.people.delete(userId);
      held.codes.delete(userId);
      for (const [session, owner] of [...held.sessions]) if (owner === userId) held.sessions.delete(session);
    };
    return this.#ask(
      () => this.#admin("DELETE", `/v1/profiles/${userId}`),
      204,
      effect,
      () => this.#held,
    );
  }

  #import(): Promise<void> {
    const made = Array.from({ length: 3 }, () => {
      const digits = this.#chance
        .below(2 ** 32)
        .toString(16)
        .padStart(8, "0");
      return {
        userId: `${digits}-0000-4000-8000-00000000000${this.#chance.below(10)}`,
        phone: this.#phone(),
        name: "Imported",
      };
    });
    const effect: Effect = (held) => {
      for (const { userId, phone, name } of made) held.people.set(userId, { phone, name, pad: 0 });
    };
    const state = { version: 1, apps: [{ appId: this.appId, profiles: made }] };
    const call = () => this.#control("PUT", `/state?appId=${this.appId}`, { mode: "merge", state });
    return this.#ask(call, 200, effect, () => this.#held);
  }

  async #save(): Promise<void> {
    const moment = copyOf(this.#held);
    this.#saving = moment;
    const { status, json } = await this.#control("PUT", `/snapshots/here?appId=${this.appId}`);
    if (status !== 200 && status !== 201) throw new Wrong(`${this.appId}: a save was answered with ${status}`);
    this.#saving = undefined;
    this.#saved = moment;
    this.#saves.set(json.seq, moment);
    for (let asked = 0; asked < 20 && this.#chance.is(0.8); asked += 1) {
      const { items } = (await this.#control("GET", `/snapshots?appId=${this.appId}`)).json;
      if (items[0]?.stored === true) this.#stored = items[0].seq;
    }
  }

  #restore(): Promise<void> {
    const saved = this.#saved;
    if (saved === undefined) return Promise.resolve();
    const effect: Effect = (held) => void Object.assign(held, copyOf(saved));
    return this.#ask(
      () => this.#control("POST", `/snapshots/here/restore?appId=${this.appId}`),
      200,
      effect,
      () => this.#held,
    );
  }
}
