/** Helpers for the tests of Signed-in users of apps with given settings. */
import { type Harness, PHONE, type User } from "#test/http/decisions/support.ts";

/** A secret long enough for HS256. */
export const LONG_SECRET = "sk_local_0123456789abcdefghijklmnopqrstuvwxyz";

/** @returns header and payload of a token, without verification. */
export const parts = (token: string) =>
  token
    .split(".")
    .slice(0, 2)
    // biome-ignore lint/suspicious/noExplicitAny: read field by field, as a client would
    .map((segment): any => JSON.parse(Buffer.from(segment, "base64url").toString()));

/** @returns a function that signs in a user of a new app. */
export const signIns =
  ({ app: newApp, control }: Pick<Harness, "app" | "control">) =>
  async (token: User = {}, input: User = {}) => {
    const app = await newApp({ settings: { token }, ...input });
    const session = (await app.start({ phone: PHONE, name: "Ada" })).json;
    /** A token of the session with a defect; without one a good token. */
    const wrong = async (defect?: string, claims?: User) =>
      await control("POST", `/sessions/${session.id}/token`, { ...(defect && { defect }), ...(claims && { claims }) });
    return { ...app, session, wrong };
  };
