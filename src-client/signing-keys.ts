/** The keys that sign tokens. */
import type * as R from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the calls. @see Client */
export const createSigningKeys = ({ ask, tell }: Transport) => ({
  /** @returns the keys that sign tokens, oldest first. */
  list: (): Promise<R.List<R.SigningKey>> => ask("GET", "signing-keys"),
  /**
   * Signs with a new key; the tokens of the previous one stay valid. @throws StagedoorError 409 with `--signing-key`.
   */
  rotate: (body: R.RotateInput = {}): Promise<R.List<R.SigningKey>> => ask("POST", "signing-keys/rotate", { body }),
  /** Removes a key, or the newest `"previous"` one, with its tokens. @throws StagedoorError 409 for a current one. */
  retire: (kid: string): Promise<void> => tell("DELETE", `signing-keys/${segment(kid)}`),
});
