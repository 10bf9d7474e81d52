/** The form of app ids: plain ASCII, because they go into tokens (D29). Without a schema, for what loads no zod. */

/** What every app id matches: as services have them, such as `1:2345:ios:abc`, but no step of a path. */
export const APP_ID = /^(?!\.\.?$)[A-Za-z0-9._:~-]{1,128}$/;

/** @returns whether an app can have this id. */
export const isAppId = (text: string): boolean => APP_ID.test(text);
