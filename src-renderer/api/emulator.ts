/**
 * The control API of the server that this page came from. The browser sends the cookie of the console by itself.
 */
import { connect, type FieldErrors, StagedoorError } from "#client/index.ts";

/** All calls; a refused one throws a StagedoorError. */
export const emulator = connect({ consoleUrl: globalThis.location?.origin });

/** @returns the part of a query that names an app; null: all apps. */
export const ofApp = (appId: string | null): { appId?: string } => (appId === null ? {} : { appId });

/** Deletes an app, also while the page is being closed. */
export const dropApp = (appId: string): void => {
  const options = { method: "DELETE", keepalive: true } as const;
  void fetch(`/emulator/v1/apps/${encodeURIComponent(appId)}`, options).catch(() => undefined);
};

/** @returns what an error says, to show to a person. */
export const explain = (error: unknown): string => {
  if (error instanceof StagedoorError) return error.explanation;
  return error instanceof Error ? error.message : String(error);
};

/** @returns what a refusal says is wrong, by field; empty if it is about something else. */
export const fieldsOf = (error: unknown): FieldErrors => (error instanceof StagedoorError ? error.fields : {});

/** @returns whether a call failed because there is nothing with that id, any more. */
export const isGone = (error: unknown): boolean => error instanceof StagedoorError && error.status === 404;

/** @returns the answer; null if there is nothing with that id, any more. @throws any other refusal. */
export const unlessGone = async <T>(answer: Promise<T>): Promise<T | null> => {
  try {
    return await answer;
  } catch (error) {
    if (isGone(error)) return null;
    throw error;
  }
};
