/** The human-readable output of `start`: the URLs, what to try, and each passcode. */

import { pageUrl } from "#contract/control/ready.ts";
import type { FirstFailure } from "#contract/control/requests.ts";
import type { PasscodeItem } from "#contract/service/passcodes.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { isLoopbackUrl } from "#contract/words/loopback.ts";
import { shellWord } from "#contract/words/shell-words.ts";
import { many } from "#contract/words/words.ts";
import type { StartedLine } from "#server/plumbing/define.ts";
import { printable, type Text } from "#server/plumbing/io.ts";
import type { RunningServer } from "#server/server.ts";

const two = (n: number): string => String(n).padStart(2, "0");

/** @returns the time of day in this machine's zone, such as `14:02:11`. */
export const timeOfDay = (at: Date): string => [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");

/** @returns whose times these are, in one sentence. */
export const zoneWords = (): string => `Times are ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`;

const MOST_APPS = 6;

type App = RunningServer["apps"][number];

const SAMPLES: Readonly<Record<UsernameField, string>> = { phone: "+12025550199", email: "somebody@example.com" };

/** @returns a command that sends a code to a user of the app, or signs up a first user. */
export const curlLine = (authUrl: string, app: App, platform: NodeJS.Platform): string => {
  const field = usernameField(app);
  const body = JSON.stringify({ appId: app.appId, user: { [field]: app.firstUsername ?? SAMPLES[field] } });
  const type = shellWord("Content-Type: application/json", platform);
  return `curl -i ${authUrl}/v1/users/session -H ${type} -d ${shellWord(body, platform)}`;
};

const bold = (text: string): Text => ({ text: printable(text), style: 1 });
const dim = (text: string): Text => ({ text: printable(text), style: 2 });

const appLines = (apps: readonly App[]): Text[] => {
  const shown = apps.slice(0, MOST_APPS);
  const width = Math.max(...shown.map((app) => app.appId.length));
  const lines = shown.map((app): Text => {
    const name = printable(app.appId).padEnd(width);
    return [`  ${name}  ${app.strategy}  secret `, bold(app.secret)];
  });
  return apps.length > shown.length ? [...lines, `  … and ${apps.length - shown.length} more`] : lines;
};

/** @returns the console URL for a browser, including its access token if required. */
export const consoleAddress = ({ urls, accessToken }: Pick<RunningServer, "urls" | "accessToken">): string =>
  pageUrl(urls.console, accessToken);

type Shown = Pick<RunningServer, "urls" | "publicUrls" | "authTlsUrl" | "accessToken" | "dataDir" | "apps">;

/** @returns the URL for phones: the public one, or on the local network; undefined while there is none. */
const helloUrl = ({ urls, publicUrls: { auth }, apps: [app] }: Shown): string | undefined => {
  const url = auth === undefined || isLoopbackUrl(auth) ? urls.lan[0] : auth;
  const query = app === undefined ? "" : `?appId=${encodeURIComponent(app.appId)}`;
  return url === undefined ? undefined : `${url}/emulator/hello${query}`;
};

/** What the text needs of the program; `started`: what features say. */
interface ReadyHost {
  readonly version: string;
  readonly platform: NodeJS.Platform;
  readonly started: readonly StartedLine[];
}

/** @param qrCode draws a QR code as lines of text. @returns the text to print once the listeners are up. */
export const readyText = (
  server: Shown,
  { version, platform, started }: ReadyHost,
  qrCode?: (text: string) => string,
): Text => {
  const { urls, publicUrls, apps, dataDir, authTlsUrl } = server;
  const urlLine = (name: string, url: string, use: string): Text => [`  ${name.padEnd(9)}`, bold(url), "  ", dim(use)];
  const publicLine = (url: string | undefined): Text[] =>
    url === undefined ? [] : [urlLine("", url, "the same for others")];
  const lines: Text[] = [
    [bold(`Stagedoor ${version}`), "  ", dim(dataDir === null ? "data in memory only" : `data in ${dataDir}`)],
    "",
    urlLine("Admin", urls.admin, "your backend: /v1/profiles"),
    ...publicLine(publicUrls.admin),
    urlLine("Auth", urls.auth, "your app: /v1/users/session"),
    ...publicLine(publicUrls.auth),
    ...(authTlsUrl === null ? [] : [urlLine("", authTlsUrl, "the same over https")]),
    ...urls.lan.map((url) => urlLine("", url, "for a phone on this network")),
    urlLine("Console", consoleAddress(server), "UI and control API"),
    ...publicLine(publicUrls.console && pageUrl(publicUrls.console, server.accessToken)),
  ];
  if (apps.length > 0) lines.push("", "Apps", ...appLines(apps));
  const ofKits = started.map((line) => line(consoleAddress(server)));
  if (ofKits.length > 0) lines.push("", ...ofKits.map(([words, address]): Text => [words, bold(address)]));
  const demo = apps.find((app) => app.firstUsername !== null) ?? apps[0];
  if (demo !== undefined) {
    const what = demo.firstUsername === null ? "Sign up a user:" : "Send a code to a demo user:";
    lines.push("", what, "", `  ${curlLine(urls.auth, demo, platform)}`);
  }
  const hello = helloUrl(server);
  if (hello !== undefined && qrCode !== undefined)
    lines.push("", `On a phone, open ${hello} or scan:`, "", ...qrCode(hello).split("\n"));
  lines.push(
    "",
    `New codes appear here, and the first failure of each kind (all: stagedoor requests --why). ${zoneWords()} Press Ctrl+C to stop.`,
    "",
  );
  return lines.map((line) => [line, "\n"]);
};

const validity = ({ createdAt, expiresAt }: PasscodeItem): string => {
  const seconds = Math.round((Date.parse(expiresAt) - Date.parse(createdAt)) / 1_000);
  if (seconds % 3_600 === 0) return `${seconds / 3_600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

/** @returns the first failure of its kind of an app, and what to do, as one line. */
export const firstFailureLine = (failure: FirstFailure, at: Date): Text => {
  const { method, path, status, reason, text, more } = failure;
  const others = more === 0 ? "" : `  and ${many(more, "more new failure")}`;
  const head = `  ${printable(`${method} ${path}`)}  `;
  return [dim(timeOfDay(at)), head, bold(`${status} ${reason}`), `  ${printable(text)}`, dim(others)];
};

/** @param name of the app. @param at real time of issue. @returns the line of one passcode, without a newline. */
export const passcodeLine = (item: PasscodeItem, name: string, at: Date): Text => {
  const time = timeOfDay(at);
  const end =
    item.delivery === "failed" ? "not delivered" : `${item.arrivals === 2 ? "again, " : ""}valid ${validity(item)}`;
  return [dim(time), `  ${printable(name)}  ${printable(item.to)}  `, bold(item.code), "  ", dim(end)];
};
