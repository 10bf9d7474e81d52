/** The keys that sign and verify session tokens: one for each algorithm, created when it is first needed (D29). */
import type { JsonObject } from "#contract/scalars.ts";
import type { KeyAlgorithm } from "#contract/token-claims.ts";
import { createSigningKey, type SigningKey } from "./keys.ts";

/** The key of one algorithm. */
interface Place {
  key: SigningKey | undefined;
  /** While it is being created, so that two first sign-ins share one key. */
  creating: Promise<SigningKey> | undefined;
  /** Whether tokens may have been signed with it, so that verifiers need it. */
  inUse: boolean;
}

/** @see the top of this file */
export class KeyRing {
  readonly #places = new Map<KeyAlgorithm, Place>();
  readonly #keep: (privateJwk: JsonObject) => Promise<void>;

  /**
   * @param keys of which the last of an algorithm counts. @param first the algorithm whose key verifiers may fetch
   * before anything is signed. @param keep stores a new private JWK.
   */
  constructor(keys: readonly SigningKey[], first: KeyAlgorithm, keep: (privateJwk: JsonObject) => Promise<void>) {
    this.#keep = keep;
    for (const key of keys) {
      // Keys created on demand have signed tokens that may still be in use; the ES256 key always exists, used or not.
      const inUse = key.algorithm === first || key.algorithm !== "ES256";
      Object.assign(this.#placeOf(key.algorithm), { key, inUse });
    }
  }

  /** @returns the key that signs with an algorithm, created and stored if necessary; it is in use from now on. */
  keyOf(algorithm: KeyAlgorithm): SigningKey | Promise<SigningKey> {
    const place = this.#placeOf(algorithm);
    place.inUse = true;
    if (place.key !== undefined) return place.key;
    place.creating ??= this.#create(place, algorithm);
    return place.creating;
  }

  /** @returns the key with this id; undefined if there is none. */
  withId(kid: unknown): SigningKey | undefined {
    for (const { key } of this.#places.values()) if (key?.kid === kid) return key;
    return undefined;
  }

  /** @returns the keys that verifiers need. */
  inUse(): readonly SigningKey[] {
    return [...this.#places.values()].flatMap(({ key, inUse }) => (key !== undefined && inUse ? [key] : []));
  }

  #placeOf(algorithm: KeyAlgorithm): Place {
    const place = this.#places.get(algorithm) ?? { key: undefined, creating: undefined, inUse: false };
    this.#places.set(algorithm, place);
    return place;
  }

  async #create(place: Place, algorithm: KeyAlgorithm): Promise<SigningKey> {
    try {
      const key = await createSigningKey(algorithm);
      await this.#keep(key.privateJwk);
      place.key = key;
      return key;
    } finally {
      place.creating = undefined;
    }
  }
}
