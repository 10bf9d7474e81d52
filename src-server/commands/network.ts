/** `stagedoor lan on|off|status` and `stagedoor tls on|off|status` (CONTRACT 9). */
import type { Lan, Tls } from "#client/records.ts";
import { type Whereabouts, withEmulator } from "./emulator.ts";
import { type Io, print, printable, wrongUsage } from "./io.ts";

/** Options of both commands. */
export interface NetworkOptions extends Whereabouts {
  /** Prints the response of the control API as one line of JSON. */
  readonly json?: boolean | undefined;
}

type Action = "on" | "off" | "status";

const actionOf = (text: string): Action => {
  if (text === "on" || text === "off" || text === "status") return text;
  throw wrongUsage(`Unknown action "${printable(text)}". Actions: on, off, status.`);
};

const lanLines = ({ open, urls, tlsUrls }: Lan): string[] => {
  if (!open) return ["Auth is closed to the local network."];
  const [url] = urls;
  if (url === undefined) return ["Auth is open to the local network, but this machine has no address there."];
  return [
    "Auth is open to the local network:",
    ...[...urls, ...tlsUrls].map((one) => `  ${one}`),
    `Open ${url}/emulator/hello on the phone.`,
  ];
};

const tlsLines = ({ url, lanUrls, ca, leaf }: Tls): string[] => {
  if (url === null) return ["https is off."];
  const uncovered = leaf === null || leaf.uncovered.length === 0 ? [] : [`Not covered: ${leaf.uncovered.join(", ")}`];
  const authority =
    ca === null
      ? []
      : [`Certificate authority: ${ca.subject}, valid until ${ca.notAfter}`, `SHA-256 ${ca.fingerprint256}`];
  return ["https is on:", ...[url, ...lanUrls].map((one) => `  ${one}`), ...authority, ...uncovered];
};

/** Opens auth to the local network, closes it, or prints its state. @returns 0. @throws CommandError */
export const lan = async (text: string, options: NetworkOptions, io: Io): Promise<number> => {
  const action = actionOf(text);
  const now = await withEmulator(options, ({ lan: of }) =>
    action === "status" ? of.read() : action === "on" ? of.open() : of.close(),
  );
  return print(io, options.json, now, lanLines(now));
};

/** Turns https on or off, or prints its state. @returns 0. @throws CommandError */
export const tls = async (text: string, options: NetworkOptions, io: Io): Promise<number> => {
  const action = actionOf(text);
  const now = await withEmulator(options, ({ tls: of }) =>
    action === "status" ? of.read() : action === "on" ? of.on() : of.off(),
  );
  return print(io, options.json, now, tlsLines(now));
};
