/** The control API of the server that this page came from. The browser sends the console cookie. */
import { connect, type FieldErrors, StagedoorError } from "#client/index.ts";

/** The client; failed calls throw a StagedoorError. */
export const emulator = connect({ consoleUrl: globalThis.location?.origin });

/** @returns the query parameter for an app; null: all apps. */
export const ofApp = (appId: string | null): { appId?: string } => (appId === null ? {} : { appId });

/** @returns what an error says, to show to a person. */
export const explain = (error: unknown): string => {
  if (error instanceof StagedoorError) return error.explanation;
  return error instanceof Error ? error.message : String(error);
};

/** @returns the errors by field; empty if the error is about something else. */
export const fieldsOf = (error: unknown): FieldErrors => (error instanceof StagedoorError ? error.fields : {});

/** @returns whether a call failed because the record no longer exists. */
export const isGone = (error: unknown): boolean => error instanceof StagedoorError && error.status === 404;

/** @returns the response; null if the record no longer exists. @throws all other errors. */
export const unlessGone = <T>(answer: Promise<T>): Promise<T | null> =>
  answer.catch((error: unknown) => {
    if (isGone(error)) return null;
    throw error;
  });
