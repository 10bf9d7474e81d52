/** Selects the token of a call: a join token gets another one with each app that it creates, for that app. */
import type { App } from "./records.ts";

const appIdIn = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "appId" in value ? value.appId : undefined;

/** @param own the client's token; undefined for a console on loopback. */
export const createTokens = (own: string | undefined) => {
  const byApp = new Map<unknown, string>();
  return {
    /** @param path below `/emulator/v1/`. @returns the token for a call: that of the app named in it, or the only one. */
    of: (method: string, path: string, query: object, body: unknown): string | undefined => {
      if (method === "POST" && path === "apps") return own;
      const [, inPath] = /^apps\/([^/]+)/.exec(path) ?? [];
      const appId = inPath === undefined ? (appIdIn(query) ?? appIdIn(body)) : decodeURIComponent(inPath);
      const [only] = byApp.size === 1 ? byApp.values() : [];
      return (appId === undefined ? only : byApp.get(appId)) ?? own;
    },
    /** Stores the token of a new app, if it has one. @returns the app. */
    keep: <A extends App>(app: A): A => {
      if (app.accessToken !== undefined) byApp.set(app.appId, app.accessToken);
      return app;
    },
    /** Removes the token of a deleted app. */
    forget: (appId: string): void => void byApp.delete(appId),
    /** @returns why the emulator may not recognise a token that it issued; empty for other tokens. */
    lost: (token: string | undefined): string => {
      const [appId] = [...byApp].find(([, kept]) => kept === token) ?? [];
      if (appId === undefined) return "";
      return `App "${appId}" no longer exists: its lease ended, or Stagedoor restarted without its data. `;
    },
  };
};

export type Tokens = ReturnType<typeof createTokens>;
