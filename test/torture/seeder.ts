/**
 * A client of the server that is killed: it imports a large app, over and over, each time with other names, and knows
 * which of them may be found after a restart. Meanwhile it changes some of these users itself.
 */
import { type Call, caller } from "#test/hosts/client.ts";
import type { Chance } from "./chance.ts";
import { Wrong } from "./kill-client.ts";

const APP = "seeded";
/** How many users of an import are also changed one by one. */
const CHANGED = 20;

const idOf = (n: number): string => `${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;

/** @see file */
export class Seeder {
  readonly #chance: Chance;
  readonly #sizes: readonly number[];
  readonly #admin: Call;
  readonly #control: Call;
  /** The acknowledged import and the pending one: their names and sizes. */
  #held = { name: "", size: 0 };
  #underWay: { readonly name: string; readonly size: number } | undefined;
  /** By user: the name by an acknowledged change, and the import that was under way and may have come before or after. */
  readonly #changed = new Map<string, { readonly name: string; readonly during: string | undefined }>();
  #changing: { readonly id: string; readonly name: string } | undefined;
  #next = 0;
  /** How many imports were answered. */
  answered = 0;

  /** @param sizes of the imports, in users. @param urls read at every call, since a restart changes them. */
  constructor(
    chance: Chance,
    sizes: readonly number[],
    urls: () => { readonly adminUrl: string; readonly consoleUrl: string },
  ) {
    this.#chance = chance;
    this.#sizes = sizes;
    this.#admin = caller(() => urls().adminUrl, { Authorization: `Bearer sk_${APP}` });
    this.#control = caller(() => `${urls().consoleUrl}/emulator/v1`);
  }

  /** Imports once. @throws Wrong on an incorrect response. */
  async seed(): Promise<void> {
    const size = Math.max(this.#held.size, this.#chance.pick(this.#sizes));
    const name = `import ${++this.#next}`;
    const profiles = Array.from({ length: size }, (_, n) => ({
      userId: idOf(n),
      phone: `+1${(3_000_000_000 + n).toString()}`,
      name,
    }));
    this.#underWay = { name, size };
    const state = { version: 1, apps: [{ appId: APP, secret: `sk_${APP}`, profiles }] };
    const { status, text } = await this.#control("PUT", "/state", { mode: "merge", state });
    if (status !== 200) throw new Wrong(`an import was answered with ${status} ${text}`);
    this.#held = this.#underWay;
    for (const [id, { during }] of this.#changed) if (during !== name) this.#changed.delete(id);
    this.#underWay = undefined;
    this.answered += 1;
  }

  /** Changes users of the app one by one, which contradicts an import, until the server is gone. */
  async change(): Promise<void> {
    while (this.#held.size > 0) {
      const id = idOf(this.#chance.below(CHANGED));
      const name = `change ${++this.#next}`;
      this.#changing = { id, name };
      const before = this.#underWay?.name;
      const { status } = await this.#admin("PUT", `/v1/profiles/${id}`, { name });
      if (status !== 200) throw new Wrong(`a change of an imported user was answered with ${status}`);
      this.#changed.set(id, { name, during: this.#underWay?.name ?? before });
      this.#changing = undefined;
    }
  }

  /** Compares the app after a restart with what may be there. @returns what is wrong; undefined: nothing. */
  async compare(): Promise<string | undefined> {
    const { json } = await this.#control("GET", `/state?appId=${APP}`);
    const found: readonly { readonly userId: string; readonly name: string }[] = json.apps?.[0]?.profiles ?? [];
    const [before, after, changing] = [this.#held, this.#underWay, this.#changing];
    const last = found.at(-1)?.name;
    const is = after !== undefined && last === after.name ? after : before;
    this.#held = is;
    this.#underWay = undefined;
    this.#changing = undefined;
    if (found.length !== is.size) return `the import has ${found.length} of ${is.size} users`;
    for (const { userId, name } of found) {
      const own = this.#changed.get(userId);
      const mayBeImports = own === undefined || is === after || own.during === is.name;
      const isOwn = name === own?.name || (changing?.id === userId && name === changing.name);
      if (!isOwn && !(mayBeImports && name === is.name))
        return `${userId} is called ${name} where ${own?.name ?? is.name} should be`;
      if (isOwn) this.#changed.set(userId, { name, during: undefined });
      else this.#changed.delete(userId);
    }
    return undefined;
  }
}
