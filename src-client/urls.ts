/** The URLs of an emulator as its client reaches them. */
import { StagedoorError } from "./error.ts";
import type { Status } from "./records.ts";
import type { Transport } from "./transport.ts";

/** For the app's backend, for the app, for tests; `lan`: for phones, empty unless open. */
export type Urls = Status["urls"];

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** @see Client.urls */
export const urlsOf = async ({ ask, place }: Transport): Promise<Urls> => {
  const asked = await ask<Status>("GET", "status").catch((error: unknown) => {
    if (error instanceof StagedoorError && error.status === 403) return undefined;
    throw error;
  });
  const seen = new URL(place.consoleUrl);
  const port = Number(seen.port || 4012);
  const besides = (distance: number): string => `http://127.0.0.1:${port - distance}`;
  const { admin, auth, lan } = asked?.urls ?? { admin: besides(2), auth: besides(1), lan: [] };
  const reached = (text: string): string => {
    const url = new URL(text);
    if (LOOPBACK.test(url.hostname)) url.hostname = seen.hostname;
    return url.origin;
  };
  return { admin: reached(admin), auth: reached(auth), console: place.consoleUrl, lan };
};
