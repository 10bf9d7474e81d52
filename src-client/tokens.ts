/** Which token a call carries: a join token gets one with each app it makes, and only that opens the app. */
import type { App } from "./records.ts";

/** @see createTokens */
export interface Tokens {
  /** @param path below `/emulator/v1/`. @returns the token for a call: that of the app it names, or of the only one. */
  of(method: string, path: string, query: object, body: unknown): string | undefined;
  /** Keeps the token of a new app, if it has one. @returns the app. */
  keep(app: App): App;
  /** The app is gone. */
  forget(appId: string): void;
  /** @returns why the emulator may not know a token that it gave; empty if it is none of those. */
  lost(token: string | undefined): string;
}

const appIdIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "appId" in value ? value.appId : undefined;

/** @param own what the client was given; of a console on loopback undefined. */
export const createTokens = (own: string | undefined): Tokens => {
  const byApp = new Map<unknown, string>();
  return {
    of: (method, path, query, body) => {
      if (method === "POST" && path === "apps") return own;
      const [, inPath] = /^apps\/([^/]+)/.exec(path) ?? [];
      const appId = inPath === undefined ? (appIdIn(query) ?? appIdIn(body)) : decodeURIComponent(inPath);
      const [only] = byApp.size === 1 ? byApp.values() : [];
      return (appId === undefined ? only : byApp.get(appId)) ?? own;
    },
    keep: (app) => {
      if (app.accessToken !== undefined) byApp.set(app.appId, app.accessToken);
      return app;
    },
    forget: (appId) => void byApp.delete(appId),
    lost: (token) => {
      const [appId] = [...byApp].find(([, kept]) => kept === token) ?? [];
      if (appId === undefined) return "";
      return `App "${appId}" is gone: its lease ended, or the emulator restarted without its data. `;
    },
  };
};
