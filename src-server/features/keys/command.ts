/** `stagedoor keys`, `keys rotate` and `keys retire KID`. */
import type { RotateInput } from "#client/records.ts";
import { type ClientOptions, whereWords, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { given } from "#server/plumbing/options.ts";

/** @see signingKeys */
export interface SigningKeyOptions extends ClientOptions {
  readonly algorithm?: NonNullable<RotateInput["algorithm"]>;
}

/** Changes the keys that sign tokens, if asked to, and prints them. @returns 0. @throws CommandError */
export const signingKeys = async (
  io: Io,
  action: "list" | "rotate" | "retire",
  kid: string | undefined,
  { algorithm, ...options }: SigningKeyOptions,
): Promise<number> => {
  if ((action === "retire") !== (kid !== undefined))
    throw wrongUsage("Only `keys retire` takes a KID, and it needs one.");
  if (algorithm !== undefined && action !== "rotate") throw wrongUsage("--algorithm is for keys rotate.");
  const [answer, where] = await withEmulator(options, async (client) => {
    const { signingKeys: keys } = client;
    if (action === "rotate") return [await keys.rotate(given({ algorithm }))];
    if (kid !== undefined) await keys.retire(kid);
    return [await keys.list(), ...(kid === undefined ? [] : [await whereWords(client)])];
  });
  const lines = answer.items.map(
    (key) =>
      `${printable(key.kid)}  ${key.algorithm}  ${key.state.padEnd(8)}  ${key.createdAt ?? "unknown"}  tokens: ${key.tokens}`,
  );
  const retired = where === undefined ? [] : [`Retired ${printable(kid ?? "")} (${where}).`];
  return print(io, options.json, answer, [...lines, ...retired]);
};
