/** The steps of a device to its first request, and how to interpret them: name, port, certificate. */
import type { AuthClient, Reach } from "#client/index.ts";
import { isLoopback, type Target } from "../../shared/network/targets.ts";
import type { Tone } from "../../ui/tones.ts";

/** A finding, and what to do next. */
export interface ReachFinding {
  readonly tone: Tone;
  readonly title: string;
  /** Absent: nothing. */
  readonly next?: string;
}

/** @returns the name of a client: an aborted handshake has no user agent, so look at calls from its address. */
const whoWords = ({ device, remote }: AuthClient, clients: readonly AuthClient[]): string => {
  const known = device ?? clients.find((one) => one.remote === remote && one.device !== null)?.device ?? "A device";
  return `${known} ${isLoopback(remote) ? "on this machine" : `at ${remote}`}`;
};

const OPEN_HELLO = "Open the QR code’s page in the device’s browser and follow its steps.";

/**
 * @returns whether the newest client that tried https trusts the certificate
 * @param clients newest first. @param remote whether those on the network count, or those on this machine
 */
export const trustOf = (clients: readonly AuthClient[], remote: boolean): ReachFinding => {
  const tried = clients.filter(
    (one) => isLoopback(one.remote) !== remote && (one.https || one.tlsRefusals + one.tlsAborted > 0),
  );
  const trusting = new Set(tried.filter(({ https }) => https).map((one) => one.remote));
  // If calls succeed too, a failed handshake has other causes.
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
 * @returns which ports are reachable for the target, and what its name resolves to; empty for a phone while the LAN is
 * closed. @param items the server's check of its own URLs
 */
export const reachFindings = (target: Target, items: readonly Reach[]): readonly ReachFinding[] => {
  const isPhone = target === "phone";
  const asked = items.filter(({ url }) => isLoopback(hostOf(url).replace(/^\[|\]$/g, "")) !== isPhone);
  const open = asked.filter((item) => item.problem === null && !isName(item));
  const failed = asked.filter(({ problem }) => problem !== null);
  const name = asked.find((item) => isName(item) && item.problem === null);
  const titleOf = ({ url, problem }: Reach): string =>
    problem === "unresolved" ? `${hostOf(url)} can’t be resolved` : `${new URL(url).origin} does not respond`;
  const findings: ReachFinding[] = [];
  const hosts = open.map(({ url }) => new URL(url).host);
  if (hosts.length > 0) findings.push({ tone: "ok", title: `Open: ${hosts.join(", ")}` });
  if (name) findings.push({ tone: "ok", title: `${hostOf(name.url)} resolves to ${name.addresses.join(", ")}` });
  // The name is optional: the address works too.
  for (const [title, { problem, instruction }] of new Map(failed.map((item) => [titleOf(item), item])))
    findings.push({
      tone: problem === "unresolved" ? "quiet" : "bad",
      title,
      ...(instruction && { next: instruction }),
    });
  return findings;
};
