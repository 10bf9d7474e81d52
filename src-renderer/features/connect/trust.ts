/**
 * What the clients of auth tell of https: whether a device trusts the certificate.
 */
import type { AuthClient } from "#client/index.ts";
import type { Tone } from "../../ui/tones.ts";
import { isLoopback } from "./targets.ts";

/** One finding, and the next thing to do. */
interface Finding {
  readonly tone: Tone;
  readonly title: string;
  /** Absent: nothing. */
  readonly next?: string;
}

/** @returns who it is, in words: a handshake that broke off tells no device, other calls of the same address do. */
const whoWords = (client: AuthClient, clients: readonly AuthClient[]): string => {
  const device = client.device ?? clients.find((one) => one.remote === client.remote && one.device !== null)?.device;
  const from = isLoopback(client.remote) ? "on this machine" : `at ${client.remote}`;
  return device === undefined || device === null ? `A device ${from}` : `${device} ${from}`;
};

const OPEN_HELLO = "Open the page of the QR code in the device’s browser: it has the steps for this device.";

/**
 * @param clients the newest first
 * @param remote whether devices of the network count, or only clients on this machine
 * @returns whether the newest that tried https trusts the certificate
 */
export const trustOf = (clients: readonly AuthClient[], remote: boolean): Finding => {
  const tried = clients.filter(
    (one) => isLoopback(one.remote) !== remote && (one.https || one.tlsRefusals + one.tlsAborted > 0),
  );
  const trusting = new Set(tried.filter(({ https }) => https).map((one) => one.remote));
  // Beside calls that go through, a handshake that breaks off has other reasons.
  const broken = tried.find((one) => !trusting.has(one.remote));
  if (broken !== undefined) {
    const words =
      broken.tlsRefusals > 0 ? "does not trust the certificate yet" : "probably does not trust the certificate yet";
    return { tone: "warn", title: `${whoWords(broken, clients)} reached Stagedoor, but ${words}`, next: OPEN_HELLO };
  }
  const [trusted] = tried;
  if (trusted !== undefined) return { tone: "ok", title: `${whoWords(trusted, clients)} trusts the certificate` };
  return { tone: "quiet", title: "Nothing has come over https yet", next: "Use the https URL above as the base URL." };
};
