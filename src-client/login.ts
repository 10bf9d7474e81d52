/** A login as an app does it: requests a code, and enters it, in the shape that the app's settings ask for. */
import { StagedoorError } from "./error.ts";
import { checkOptions } from "./options.ts";
import { usernameFieldOf } from "./recipient.ts";
import type { App, ProfileInput, Settings, UserSession } from "./records.ts";
import { joinSignals, readText, untilAborted } from "./signals.ts";
import { parsed, segment, type Transport } from "./transport.ts";
import { urlsOf } from "./urls.ts";

/** Who signs in to which app. Other fields are stored in the profile of a new user. */
export interface SessionStart extends Pick<ProfileInput, "name" | "phone" | "email"> {
  /** Sent as it is, also if there is no such app. */
  readonly appId: string;
  /** The username: a phone number or an email address, sent as it is. */
  readonly to: string;
}

/** The code that a user enters. Other fields update the profile. */
export interface SessionAuthentication extends SessionStart {
  readonly passcode: string;
}

/** What the app got. */
export interface SessionOutcome {
  /** The HTTP status. */
  readonly status: number;
  /** The row of the request log, also for `passcodes.latest`; empty if a proxy responded. */
  readonly requestId: string;
  /** After a sign-up, or the right code. */
  readonly session?: UserSession;
  /** The cause of an error, such as `passcode_mismatch` (the header `Emulator-Reason`). */
  readonly reason?: string;
}

type Wire = Required<NonNullable<Settings["wire"]>>;
/** As the server's; the app has only what differs. */
const WIRE = {
  ...{ envelope: null, appIdField: "appId", userField: "user", passcodeField: "passcode" },
  ...{ signUpStatus: 200, authenticateStatus: 200 },
} as const satisfies Wire;

type Body = Record<string, unknown>;

const isObject = (value: unknown): value is Body => typeof value === "object" && value !== null;
const isSession = (value: unknown): value is UserSession => isObject(value) && typeof value["token"] === "string";

/** @returns the body of a request in an app's shape. */
const bodyIn = (wire: Wire, appId: string, user: object, passcode: string | undefined): Body => {
  const inside: Body = { [wire.appIdField]: appId, ...(wire.userField === null ? user : { [wire.userField]: user }) };
  const [field = "", inner] = wire.passcodeField.split(".");
  const around = inside[field];
  if (passcode !== undefined)
    inside[field] = inner === undefined ? passcode : { ...(isObject(around) && around), [inner]: passcode };
  return wire.envelope === null ? inside : { [wire.envelope]: inside };
};

/** @returns the app, as far as this client may see it; undefined: unknown, which auth will say. */
const appOf = async ({ ask }: Transport, appId: string): Promise<App | undefined> =>
  await ask<App>("GET", `apps/${segment(appId)}`).catch((error: unknown) => {
    if (error instanceof StagedoorError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  });

const send = async ({ ends }: Transport, method: string, url: string, body: Body): Promise<SessionOutcome> => {
  const { signal, release } = joinSignals(ends);
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    const init: RequestInit = { method, headers, body: JSON.stringify(body), redirect: "manual", signal };
    const response = await untilAborted(fetch(url, init), signal);
    const text = await readText(response, signal);
    const reason = response.headers.get("Emulator-Reason");
    const session = response.ok ? parsed(text) : undefined;
    return {
      status: response.status,
      requestId: response.headers.get("Emulator-Request-Id") ?? "",
      ...(isSession(session) && { session }),
      ...(reason !== null && { reason }),
    };
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new StagedoorError(`No response from ${url}.`, 0, "unreachable", undefined, { cause });
  } finally {
    release();
  }
};

const login = async (
  transport: Transport,
  method: "POST" | "PUT",
  { appId, to, ...more }: SessionStart,
  passcode?: string,
): Promise<SessionOutcome> => {
  const [{ auth }, app] = await Promise.all([urlsOf(transport), appOf(transport, appId)]);
  const { strategy = to.includes("@") ? "email" : "phone", settings } = app ?? {};
  const user = { ...more, [usernameFieldOf({ strategy })]: to };
  return send(
    transport,
    method,
    `${auth}/v1/users/session`,
    bodyIn({ ...WIRE, ...settings?.wire }, appId, user, passcode),
  );
};

const FIELDS = ["appId", "to", "name", "phone", "email"];

/** @returns the calls of a login. */
export const createLogin = (transport: Transport) => ({
  /**
   * Requests a code, as the app does: `await client.session.start({ appId, to: "+12025550100" })`. A new user signs up
   * and gets a session instead. An error response is an outcome like any other.
   * @throws StagedoorError `unreachable` if there is no response.
   */
  start: async (input: SessionStart): Promise<SessionOutcome> => {
    checkOptions("session.start", input, FIELDS);
    return await login(transport, "POST", input);
  },
  /** Enters a code: `await client.session.authenticate({ appId, to, passcode: code })`. @throws as `start` */
  authenticate: async ({ passcode, ...input }: SessionAuthentication): Promise<SessionOutcome> => {
    checkOptions("session.authenticate", input, FIELDS);
    return await login(transport, "PUT", input, passcode);
  },
});
