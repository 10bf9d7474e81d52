/**
 * The steps of a device to its first code, and what each tells: name, port, certificate, app id, code.
 */
import type { AuthClient, Reach, RequestRow } from "#client/index.ts";
import type { Tone } from "../../ui/tones.ts";
import { isLoopback, remoteOf, type Target } from "./targets.ts";

/** One finding, and the next thing to do. */
export interface Finding {
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

const OPEN_HELLO = "Open the QR code’s page in the device’s browser and follow its steps.";

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
  return { tone: "quiet", title: "No HTTPS requests yet", next: "Use the https URL above as the base URL." };
};

const hostOf = (url: string): string => new URL(url).hostname;
const isName = ({ url }: Reach): boolean => hostOf(url).endsWith(".local");

/**
 * @param items what the server found at its own URLs
 * @returns whether the ports are open where the target looks for them, and its name is resolved; nothing while the network
 *   is closed to a phone
 */
export const reachFindings = (target: Target, items: readonly Reach[]): readonly Finding[] => {
  const isPhone = target === "phone";
  const asked = items.filter(({ url }) => isLoopback(hostOf(url).replace(/^\[|\]$/g, "")) !== isPhone);
  const open = asked.filter((item) => item.problem === null && !isName(item));
  const failed = asked.filter(({ problem }) => problem !== null);
  const name = asked.find((item) => isName(item) && item.problem === null);
  const titleOf = ({ url, problem }: Reach): string =>
    problem === "unresolved" ? `${hostOf(url)} is not resolved` : `${new URL(url).origin} does not answer`;
  return [
    ...(open.length === 0
      ? []
      : [{ tone: "ok", title: `Open: ${open.map(({ url }) => new URL(url).host).join(", ")}` } as const]),
    ...(name === undefined
      ? []
      : [{ tone: "ok", title: `${hostOf(name.url)} leads to ${name.addresses.join(", ")}` } as const]),
    ...[...new Map(failed.map((item) => [titleOf(item), item])).entries()].map(([title, item]) => ({
      // The name is a convenience: the address does without.
      tone: item.problem === "unresolved" ? ("quiet" as const) : ("bad" as const),
      title,
      ...(item.instruction === null ? {} : { next: item.instruction }),
    })),
  ];
};

type Sent = Pick<RequestRow, "appId" | "remote" | "status" | "reason">;

/**
 * @param rows of the log, newest first, since the page was opened or of a device
 * @param row the newest call of who has connected
 * @param appId of the app on the screen
 */
export const loginFindings = (rows: readonly Sent[], row: Sent, appId: string): readonly Finding[] => {
  const own = rows.filter((one) => remoteOf(one) === remoteOf(row));
  const known = own.find((one) => one.appId !== null)?.appId ?? null;
  const isUnknown = row.appId === null && row.reason === "unknown_app";
  const coded = own.some(({ status }) => status === 202);
  return [
    isUnknown
      ? { tone: "bad", title: "The app id is unknown" }
      : known === null
        ? { tone: "quiet", title: "No app id received yet", next: `Send appId ${appId} with each call.` }
        : { tone: "ok", title: `App id ${known} is known` },
    coded
      ? { tone: "ok", title: "A code was sent." }
      : { tone: "quiet", title: "No code sent yet", next: "Request a code in the app, for a user who exists." },
  ];
};
