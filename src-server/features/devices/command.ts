/** `stagedoor lan on|off|status` and `stagedoor tls on|off|status`. */
import type { Lan, Tls } from "#client/records.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { type Io, print } from "#server/plumbing/io.ts";

type Action = "on" | "off" | "status";

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
  const lines = ["https is on:", ...[url, ...lanUrls].map((one) => `  ${one}`)];
  if (ca !== null)
    lines.push(`Certificate authority: ${ca.subject}, valid until ${ca.notAfter}`, `SHA-256 ${ca.fingerprint256}`);
  if (leaf !== null && leaf.uncovered.length > 0) lines.push(`Not covered: ${leaf.uncovered.join(", ")}`);
  return lines;
};

/** Opens auth to the local network, closes it, or prints its state. @returns 0. @throws CommandError */
export const lan = async (io: Io, action: Action, options: ClientOptions): Promise<number> => {
  const call = { on: "open", off: "close", status: "read" } as const;
  const now = await withEmulator(options, (client) => client.lan[call[action]]());
  return print(io, options.json, now, lanLines(now));
};

/** Turns https on or off, or prints its state. @returns 0. @throws CommandError */
export const tls = async (io: Io, action: Action, options: ClientOptions): Promise<number> => {
  const now = await withEmulator(options, (client) => client.tls[action === "status" ? "read" : action]());
  return print(io, options.json, now, tlsLines(now));
};
