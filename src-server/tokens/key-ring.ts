/** The keys that sign and verify session tokens: the last of an algorithm signs (D29). */
import type { JsonObject } from "#contract/scalars.ts";
import type { KeyBirth } from "#contract/service/signing-keys.ts";
import type { KeyAlgorithm } from "#contract/service/token-claims.ts";
import { createSigningKey, type SigningKey } from "./keys.ts";

/** Maximum number of keys lent at the same time; the oldest ends first. */
const MOST_LENT = 20;

/** What a key ring depends on. */
export interface KeyRingOptions {
  /** From the document, which always has an ES256 key; oldest first. */
  readonly stored: readonly SigningKey[];
  /** Your own key, which replaces the stored ones of its algorithm, makes that the default, and is never stored. */
  readonly own?: SigningKey | undefined;
  /** The algorithm whose key verifiers may fetch before anything is signed. */
  readonly first: KeyAlgorithm;
  /** Stores these private JWKs instead of the former ones. */
  readonly store: (privateJwks: readonly JsonObject[]) => Promise<void>;
  /** @returns the present moment. */
  readonly birth: () => KeyBirth;
}

/** @see the top of this file */
export class KeyRing {
  readonly #options: KeyRingOptions;
  /** The algorithms whose keys may have signed tokens, so that verifiers need them. */
  readonly #inUse: Set<KeyAlgorithm>;
  readonly #lent = new Set<SigningKey>();
  #stored: readonly SigningKey[];
  /** Changes are made one at a time, so that two first sign-ins share one key. */
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(options: KeyRingOptions) {
    const { stored, first } = options;
    this.#options = options;
    this.#stored = stored;
    // Keys created on demand have signed tokens that may still be in use; one ES256 key always exists, used or not.
    const used = stored.map(({ algorithm }) => algorithm).filter((one, place) => one !== "ES256" || place > 0);
    this.#inUse = new Set([first, ...used]);
  }

  /** @returns the key that signs with an algorithm, created and stored if necessary; it is in use from now on. */
  keyOf(algorithm: KeyAlgorithm): SigningKey | Promise<SigningKey> {
    this.#inUse.add(algorithm);
    return (
      this.#current(algorithm) ?? this.#change(async () => this.#current(algorithm) ?? (await this.#add(algorithm)))
    );
  }

  withId(kid: unknown): SigningKey | undefined {
    return [...this.#all(), ...this.#lent].find((key) => key.kid === kid);
  }

  /** @returns whether it is the one that signs with its algorithm. */
  isCurrent(key: SigningKey): boolean {
    return this.#current(key.algorithm) === key;
  }

  /** @returns the keys that have signed, or will, oldest first. */
  inUse(): readonly SigningKey[] {
    return this.#all().filter(({ algorithm }) => this.#inUse.has(algorithm));
  }

  /** @returns the keys that verifiers need: those in use, and lent ones. */
  published(): readonly SigningKey[] {
    return [...this.inUse(), ...this.#lent];
  }

  /** Creates a key that signs with this algorithm from now on. */
  rotate(algorithm: KeyAlgorithm): Promise<SigningKey> {
    this.#inUse.add(algorithm);
    return this.#change(() => this.#add(algorithm));
  }

  /** Forgets a key. @returns why not; undefined: done. */
  retire(kid: string): Promise<"unknown" | "current" | undefined> {
    return this.#change(async () => {
      const key = this.inUse().find((one) => one.kid === kid);
      if (key === undefined) return "unknown";
      if (this.isCurrent(key)) return "current";
      await this.#save(this.#stored.filter((one) => one !== key));
      return undefined;
    });
  }

  /** @returns a published key that is never stored, and a function that takes it back. */
  async lend(algorithm: KeyAlgorithm): Promise<{ readonly key: SigningKey; readonly end: () => void }> {
    const key = await createSigningKey(algorithm);
    const [oldest] = this.#lent;
    if (oldest !== undefined && this.#lent.size >= MOST_LENT) this.#lent.delete(oldest);
    this.#lent.add(key);
    return { key, end: () => void this.#lent.delete(key) };
  }

  #all(): readonly SigningKey[] {
    const { own } = this.#options;
    return own === undefined
      ? this.#stored
      : [...this.#stored.filter(({ algorithm }) => algorithm !== own.algorithm), own];
  }

  #current(algorithm: KeyAlgorithm): SigningKey | undefined {
    return this.#all().findLast((key) => key.algorithm === algorithm);
  }

  async #add(algorithm: KeyAlgorithm): Promise<SigningKey> {
    const birth = this.#options.birth();
    // The first of an algorithm is created after the session that needs it.
    const key = await createSigningKey(algorithm, this.#current(algorithm) ? birth : { ...birth, seq: 0 });
    await this.#save([...this.#stored, key]);
    return key;
  }

  async #save(keys: readonly SigningKey[]): Promise<void> {
    await this.#options.store(keys.map(({ privateJwk }) => privateJwk));
    this.#stored = keys;
  }

  #change<T>(make: () => Promise<T>): Promise<T> {
    const made = this.#lastChange.then(make);
    this.#lastChange = made.catch(() => undefined);
    return made;
  }
}
