/** `stagedoor stage --rehearse`: says before a show what would go wrong in it. */

import type { Client } from "#client/index.ts";
import { frozen } from "#contract/frozen.ts";
import { findBrowser } from "#server/plumbing/find-browser.ts";
import { CommandError, type Io, printable, wrongUsage } from "#server/plumbing/io.ts";
import { checkLook } from "./rehearse-look.ts";
import { checkStories, peopleOnStage, type StageCheck } from "./rehearse-stories.ts";

const DEFAULT_SIZE = "1280x720";

/** @returns width and height in pixels. @throws CommandError */
export const sizeOf = (text = DEFAULT_SIZE): readonly [number, number] => {
  const [, width, height] = /^(\d{3,5})x(\d{3,5})$/.exec(text) ?? [];
  if (width === undefined) throw wrongUsage(`--size: ${printable(text)} is not a size such as 1920x1080`);
  return [Number(width), Number(height)];
};

interface NetworkCalls {
  readonly lan: Pick<Client["lan"], "read">;
  readonly connect: Pick<Client["connect"], "check">;
}

/** Checks that the sign-in page answers where the QR code leads: by http, and by https where TLS is on. */
export const checkAddress = async ({ lan, connect }: NetworkCalls, wantsLan: boolean): Promise<StageCheck[]> => {
  const { urls, tlsUrls } = await lan.read();
  const { items } = await connect.check();
  const local = items.filter(({ url }) => new URL(url).hostname === "127.0.0.1").map(({ url }) => url);
  const asked = urls.length > 0 ? [...urls.slice(0, 1), ...tlsUrls.slice(0, 1)] : local;
  const checks = asked.map((url): StageCheck => {
    const reach = items.find((one) => one.url === url);
    if (reach?.problem === null) return { level: "ok", text: `${url} answers` };
    // Certificates are for private addresses only; phones then use http.
    if (reach?.problem === "certificate") return { level: "unchecked", text: `${url}: ${reach.instruction}` };
    return { level: "bad", text: `${url} does not respond: ${reach?.instruction ?? "the network has changed"}` };
  });
  const schemes = new Set(asked.map((url) => new URL(url).protocol));
  if (!schemes.has("https:")) checks.push({ level: "unchecked", text: "https: TLS is off" });
  if (urls.length > 0) return checks;
  const text = wantsLan
    ? "The QR code leads nowhere: this machine has no network"
    : "QR code address (add --lan to check it)";
  return [...checks, { level: wantsLan ? "bad" : "unchecked", text }];
};

const MARKS = frozen<Readonly<Record<StageCheck["level"], string>>>({
  ok: "ok    ",
  bad: "FAIL  ",
  unchecked: "skip  ",
});

interface Rehearsal {
  readonly io: Io;
  readonly client: Client;
  /** The app with the people. */
  readonly appId: string | undefined;
  /** The page to look at. */
  readonly url: string;
  readonly size: readonly [number, number];
  readonly lan: boolean;
  readonly json: boolean | undefined;
}

/** Checks everything and prints a line for each check. @returns the exit status: 1 if anything is not as it should be. */
export const rehearse = async ({ io, client, appId, url, size, lan, json }: Rehearsal): Promise<number> => {
  const all: StageCheck[] = [];
  const add = (checks: readonly StageCheck[]): void => {
    all.push(...checks);
    if (json !== true) for (const { level, text } of checks) io.out(`${MARKS[level]}${printable(text)}\n`);
  };
  const [app] = (await client.state.export(appId === undefined ? {} : { appId })).apps;
  if (app === undefined || peopleOnStage(app).length === 0) throw new CommandError("No user has metadata.persona.");
  add(await checkStories(client, app));
  add(await checkAddress(client, lan));
  const browser = findBrowser();
  if (browser === undefined) {
    const text = "Whether words and codes fit: no Chromium, Chrome or Edge found; set CHROME_PATH to one";
    add([{ level: "unchecked", text }]);
  } else add(await checkLook(client, { browser, url, size, people: peopleOnStage(app) }));
  const wrong = all.filter(({ level }) => level === "bad").length;
  if (json === true) io.json({ event: "rehearsal", ready: wrong === 0, checks: all });
  else io.out(wrong === 0 ? "ready\n" : `not ready: ${wrong} of ${all.length} checks failed\n`);
  return wrong === 0 ? 0 : 1;
};
