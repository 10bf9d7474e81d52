/** Validates recipients, and describes what happened instead while a test waited for a passcode. */
import { StagedoorError } from "./error.ts";
import { invalidOptions } from "./options.ts";
import type { App, List, Passcode, RequestRow } from "./records.ts";
import { segment, type Transport } from "./transport.ts";

/** @returns the digits of a number as people write it, or with its plus sign read as a blank; undefined: it is none. */
const digitsOf = (to: string): string | undefined => {
  const bare = to
    .replace("(0)", "")
    .replace(/[\p{Cf}\s().\-–/[\]]/gu, "")
    .replace(/^tel:/i, "");
  const [, mark, digits = ""] = /^(\+|00)?(\p{Nd}{7,15})$/u.exec(bare) ?? [];
  return digits === "" || (mark === undefined && !to.startsWith(" ")) ? undefined : digits.normalize("NFKC");
};
const addressIn = (to: string): string | undefined => {
  const address = to.trim().replaceAll(" ", "+");
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(address) ? address : undefined;
};

const FORMS = {
  phone: { isIn: digitsOf, name: "a phone number such as +12025550100" },
  email: { isIn: addressIn, name: "an email address" },
} as const;

/** @returns a recipient as the server stores it, as far as it is a number or an address that people write otherwise. */
export const storedRecipient = (to: string): string => {
  const digits = digitsOf(to);
  return digits === undefined ? (addressIn(to) ?? to) : /^\d+$/.test(digits) ? `+${digits}` : to;
};

/** For each strategy the fields that can name a user, the username first. */
const USERNAME_FIELDS = {
  phone: ["phone", "email"],
  email: ["email", "phone"],
} as const satisfies Record<App["strategy"], readonly (keyof typeof FORMS)[]>;

/** @returns the contact that the app's session requests and passcodes use. */
export const recipientOf = <T>({ strategy }: App, contacts: Readonly<Record<keyof typeof FORMS, T>>): T =>
  contacts[USERNAME_FIELDS[strategy][0]];

const formOf = ({ strategy }: App) => FORMS[USERNAME_FIELDS[strategy][0]];

/** @returns the app, or all apps. @throws StagedoorError 404 for an unknown app. */
const appsOf = async ({ ask }: Transport, appId: string | undefined): Promise<readonly App[]> =>
  appId === undefined ? (await ask<List<App>>("GET", "apps")).items : [await ask<App>("GET", `apps/${segment(appId)}`)];

/** @throws StagedoorError at once, not after the wait: 404 for an unknown app, 422 if no app could send `to` it. */
export const checkRecipient = async (
  transport: Transport,
  call: string,
  to: unknown,
  appId: string | undefined,
): Promise<void> => {
  if (typeof to !== "string" || to === "") throw invalidOptions(call, { to: ["can't be blank"] });
  const apps = await appsOf(transport, appId);
  // A lenient app stores any text as phone or email.
  const isPossible = (app: App): boolean => app.settings.validation === "lenient" || formOf(app).isIn(to) !== undefined;
  const [first] = apps;
  if (first === undefined || apps.some(isPossible)) return;
  const forms = [...new Set(apps.map((app) => formOf(app).name))].join(" or ");
  const sender = apps.length === 1 ? `: ${first.appId} sends codes by ${first.strategy}` : "";
  throw invalidOptions(call, { to: [`must be ${forms}, not ${JSON.stringify(to)}${sender}`] });
};

const FEW = 5;

const describePasscodes = (came: readonly Passcode[], to: string, appId: string | undefined): string => {
  const toSame = came.filter((passcode) => passcode.to.toLowerCase() === to.toLowerCase());
  const own = toSame.find((passcode) => appId === undefined || passcode.appId === appId);
  if (own !== undefined)
    return own.delivery === "failed"
      ? "One was issued, but a fault prevents its delivery."
      : own.delivery === "pending"
        ? "One was issued, but a fault delays it."
        : `One was issued, but it is already ${own.status}.`;
  const [elsewhere] = toSame;
  if (elsewhere !== undefined) return `One arrived for ${to} in another app, ${elsewhere.appId}.`;
  const others = [...new Set(came.map((passcode) => `${passcode.to} (${passcode.appId})`))];
  return `Passcodes arrived for ${others.slice(0, FEW).join(", ")}${others.length > FEW ? " and others" : ""} instead.`;
};

const describeRequest = ({ method, path, status, reason }: RequestRow): string =>
  status === 200 && method === "POST"
    ? `${method} ${path} returned 200: a username without a profile signs up and gets no passcode.`
    : `The last request was ${method} ${path}, which returned ${status}${reason === null ? "" : ` (${reason})`}.`;

/** @returns the newest request of an app, or of no app, which a misspelt app id causes. */
const newestRow = async ({ ask }: Transport, appId: string | undefined): Promise<RequestRow | undefined> => {
  const query = { listener: "auth", limit: 100 };
  const { items } = await ask<List<RequestRow>>("GET", "requests", { query, appId });
  return items.find((row) => appId === undefined || row.appId === appId || row.appId === null);
};

/**
 * @param from the start of a wait that began earlier; then the last request counts, whenever it arrived.
 * @returns a function that describes in a sentence what was issued or requested instead.
 */
export const watchInstead = async (
  transport: Transport,
  appId: string | undefined,
  from: number | undefined,
): Promise<(to: string, after: number) => Promise<string>> => {
  const last = from === undefined ? (await newestRow(transport, appId))?.id : undefined;
  return async (to, after) => {
    try {
      const { items } = await transport.ask<List<Passcode>>("GET", "passcodes", { query: { limit: 100 }, appId });
      const isOwn = (passcode: Passcode): boolean =>
        appId === undefined || passcode.appId === appId || passcode.to === to;
      const came = items.filter((passcode) => passcode.seq > after && isOwn(passcode));
      if (came.length > 0) return describePasscodes(came, to, appId);
      const row = await newestRow(transport, appId);
      return row === undefined || row.id === last ? "No request reached auth in that time." : describeRequest(row);
    } catch (error) {
      // The passcode is missing either way.
      if (error instanceof StagedoorError) return "";
      throw error;
    }
  };
};
