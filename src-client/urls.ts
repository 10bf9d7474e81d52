/** The URLs of an emulator as its client reaches them. */
import { StagedoorError } from "./error.ts";
import type { Status } from "./records.ts";
import type { Transport } from "./transport.ts";

/** For the app's backend, for the app, for tests; `lan`: for phones, empty unless open. */
export type Urls = Status["urls"];

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @returns the URLs that listen for whoever asks the port that listens, as on the same machine; else the public ones. */
const urlsFor = (seen: URL, { urls, listening }: Status) => {
  const [inner, outer] = [new URL(listening.console), new URL(urls.console)];
  const isInner = seen.port === inner.port && (seen.host !== outer.host || LOOPBACK.test(seen.hostname));
  return isInner ? listening : urls;
};

/** @see Client.urls */
export const urlsOf = async ({ ask, place }: Transport): Promise<Urls> => {
  const asked = await ask<Status>("GET", "status").catch((error: unknown) => {
    if (error instanceof StagedoorError && error.status === 403) return undefined;
    throw error;
  });
  const seen = new URL(place.consoleUrl);
  const port = Number(seen.port || 4012);
  const besides = (distance: number): string => `http://127.0.0.1:${port - distance}`;
  const { admin, auth } = asked === undefined ? { admin: besides(2), auth: besides(1) } : urlsFor(seen, asked);
  const reached = (text: string): string => {
    const url = new URL(text);
    if (LOOPBACK.test(url.hostname)) url.hostname = seen.hostname;
    return url.origin;
  };
  return { admin: reached(admin), auth: reached(auth), console: place.consoleUrl, lan: asked?.urls.lan ?? [] };
};
