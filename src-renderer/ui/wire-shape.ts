/**
 * Requests to an app as lines of a shell.
 */
import type { App, Profile } from "#client/index.ts";
import { effectiveSettings } from "#contract/effective-settings.ts";
import type { Status } from "#contract/status.ts";
import { wireBody } from "#contract/wire-body.ts";

/** A number of the app that nobody has, as long as nobody signed up with it. */
const STRANGER = { phone: "+12025550199", email: "new@example.com" } as const;

/** @returns a text as one word of a shell: inside single quotes it leaves everything alone but the quote itself. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** @returns the username to try the app with: of a user that it has, else one that signs up. */
export const usernameToTry = (app: App, profile: Profile | undefined): string =>
  profile?.[app.strategy] ?? STRANGER[app.strategy];

const body = (app: App, username: string, passcode?: string): string =>
  JSON.stringify(wireBody(effectiveSettings(app.settings).wire, app, username, passcode));

/** @returns a line that asks for a passcode, as the app would; a new username signs up. */
export const askForCode = ({ urls }: Status, app: App, username: string): string =>
  `curl -i -X POST ${urls.auth}/v1/users/session \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body(app, username))}`;

/** @returns a line that reads the newest passcode. */
export const readCode = ({ urls }: Status, app: App, username: string): string => {
  const query = `to=${encodeURIComponent(username)}&appId=${encodeURIComponent(app.appId)}`;
  return `curl -H 'Accept: text/plain' \\\n  ${quoted(`${urls.console}/emulator/v1/passcodes/latest?${query}`)}`;
};

/** @returns a line that signs in with a passcode. */
export const signIn = ({ urls }: Status, app: App, username: string): string =>
  `curl -X PUT ${urls.auth}/v1/users/session \\\n  -H 'Content-Type: application/json' \\\n  -d ${quoted(body(app, username, "<code>"))}`;

/** @returns a line that lists the profiles, as the app's backend would. */
export const listProfiles = ({ urls }: Status, secret: string): string =>
  `curl ${urls.admin}/v1/profiles \\\n  -H ${quoted(`Authorization: Bearer ${secret}`)}`;
