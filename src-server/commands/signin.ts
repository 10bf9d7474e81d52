/** `stagedoor signin TO`: prints a session token, without a passcode, or starts an app with it. */
import type { DeviceKind } from "#contract/service/passcodes.ts";
import { openLink } from "#programs/autofill/launch.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print, printable, wrongUsage } from "#server/plumbing/io.ts";
import { durationMs, given } from "#server/plumbing/options.ts";
import { withRecipient } from "./recipient.ts";

/**
 * @see signin. `ttl`: lifetime of the session, such as `10m`; absent: from the app's settings. `url`: the console's, and
 * a link with `{token}` that opens the app.
 */
export interface SigninOptions extends Omit<ClientOptions, "url"> {
  readonly ttl?: string | undefined;
  readonly url?: readonly string[];
  readonly launch?: DeviceKind;
}

/** Opens a link on devices; without one prints it, and its QR code. @returns 0. @throws CommandError if it does not open. */
const launchWith = async (io: Io, kind: DeviceKind, link: string, json: boolean | undefined): Promise<number> => {
  const opened = await openLink(kind, link);
  if (typeof opened !== "string") {
    const failed = opened.flatMap(({ device, failure }) => (failure === undefined ? [] : `${device}: ${failure}`));
    if (failed.length > 0) throw new CommandError(printable(failed.join("\n")));
    const devices = opened.map(({ device }) => device);
    return print(io, json, { link, devices }, [`Opened on ${devices.join(", ")}: ${link}`]);
  }
  io.err(`${opened}. Open this link on the device, or scan it:`);
  const { renderUnicodeCompact } = await import("uqr");
  return print(io, json, { link, devices: [] }, [link, "", ...renderUnicodeCompact(link, { ecc: "L" }).split("\n")]);
};

/**
 * Signs a user in, creating the user if necessary, and prints the token, or starts the app with it.
 * @param to phone number or email address. @returns 0. @throws CommandError if there is no emulator, or the call fails.
 */
export const signin = async (io: Io, to: string, options: SigninOptions): Promise<number> => {
  const { app: appId, ttl, json, launch, url: urls = [], ...where } = options;
  const isLink = (url: string): boolean => url.includes("{token}") || !/^https?:/i.test(url);
  const [link] = urls.filter(isLink);
  if ((launch === undefined) !== (link === undefined) || link?.includes("{token}") === false)
    throw wrongUsage("--launch needs the link of your app, such as --url 'myapp://signin?token={token}'.");
  const url = urls.findLast((one) => !isLink(one));
  const ttlSeconds = ttl === undefined ? undefined : Math.ceil(durationMs(ttl, "--ttl") / 1_000);
  const more = given({ appId, ttlSeconds });
  const signedIn = await withEmulator({ ...where, url }, (client) =>
    withRecipient(to, (who) => client.signInAs({ ...(who.includes("@") ? { email: who } : { phone: who }), ...more })),
  );
  if (launch === undefined || link === undefined) return print(io, json, signedIn, [signedIn.token]);
  return await launchWith(io, launch, link.replaceAll("{token}", encodeURIComponent(signedIn.token)), json);
};
