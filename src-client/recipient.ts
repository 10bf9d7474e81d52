/** Recipients: phone numbers and email addresses, as people write them. */
import type { App } from "./records.ts";

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

/** @returns a recipient as the server stores it, as far as it is a number or an address that people write otherwise. */
export const storedRecipient = (to: string): string => {
  const digits = digitsOf(to);
  return digits === undefined ? (addressIn(to) ?? to) : /^\d+$/.test(digits) ? `+${digits}` : to;
};

/** For each strategy the field that is the username. */
const USERNAME_FIELD = { phone: "phone", email: "email" } as const satisfies Record<App["strategy"], string>;

/** @returns the field of the user that is the username. */
export const usernameFieldOf = ({ strategy }: Pick<App, "strategy">): "phone" | "email" => USERNAME_FIELD[strategy];

/** @returns the contact that the app's session requests and passcodes use. */
export const recipientOf = <T>(
  { strategy }: Pick<App, "strategy">,
  contacts: Readonly<Record<"phone" | "email", T>>,
): T => contacts[usernameFieldOf({ strategy })];
