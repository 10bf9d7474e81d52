/** Requests to an app as shell commands. */
import type { App, Profile } from "#client/index.ts";
import type { Status } from "#contract/control/status.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { wireBody } from "#contract/service/wire-body.ts";
import { quoted } from "#contract/words/shell-words.ts";

/** Usernames that are unused until someone signs up with them. */
const UNUSED: Readonly<Record<UsernameField, string>> = { phone: "+12025550199", email: "new@example.com" };

/** @returns a username for trying the app: an existing user's, or one that signs up. */
export const usernameToTry = (app: App, profile: Profile | undefined): string =>
  profile?.[usernameField(app)] ?? UNUSED[usernameField(app)];

const body = (app: App, username: string, passcode?: string): string =>
  JSON.stringify(wireBody(effectiveSettings(app.settings).wire, app, username, passcode));

/** @returns a command that requests a passcode like the app; a new username signs up. */
export const askForCode = ({ urls }: Status, app: App, username: string): string =>
  `curl -i -X POST ${urls.auth}/v1/users/session \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body(app, username))}`;

/** @returns a command that prints the newest passcode. */
export const readCode = ({ urls }: Status, app: App, username: string): string => {
  const query = `to=${encodeURIComponent(username)}&appId=${encodeURIComponent(app.appId)}`;
  return `curl -H 'Accept: text/plain' \\\n  ${quoted(`${urls.console}/emulator/v1/passcodes/latest?${query}`)}`;
};

/** @returns a command that signs in with a passcode. */
export const signIn = ({ urls }: Status, app: App, username: string): string =>
  `curl -X PUT ${urls.auth}/v1/users/session \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body(app, username, "<code>"))}`;

/** @returns a command that lists the profiles like the app's backend. */
export const listProfiles = ({ urls }: Status, secret: string): string =>
  `curl ${urls.admin}/v1/profiles \\\n  -H ${quoted(`Authorization: Bearer ${secret}`)}`;
