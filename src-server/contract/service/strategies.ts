/**
 * How users sign in, as tables: what a strategy reads and how it sends codes, what a username looks like, what a channel
 * carries. Plain data without zod, because the demo app and the first view of the UI read it too.
 */

/** The profile fields that can be usernames (service.md 4.2). */
export type UsernameField = "phone" | "email";

/** The ways of sending a passcode. */
export const CHANNEL_NAMES = ["sms", "email"] as const;
export type Channel = (typeof CHANNEL_NAMES)[number];

/** The ways to sign in. */
export const STRATEGY_NAMES = ["phone", "email"] as const;
export type Strategy = (typeof STRATEGY_NAMES)[number];

/** Each strategy: the profile field that is the username, and how its passcodes are sent. */
export const STRATEGIES: Readonly<Record<Strategy, { readonly field: UsernameField; readonly channel: Channel }>> = {
  phone: { field: "phone", channel: "sms" },
  email: { field: "email", channel: "email" },
};

/** Each channel: its name, which text of the setting `message` it sends, and what else it carries. */
interface ChannelRow {
  readonly word: string;
  readonly text: "sms" | "email";
  /** Whether the text has autofill lines: the Android hash, the domain. */
  readonly autofill: boolean;
  /** Whether emulators and simulators can receive it. */
  readonly devices: boolean;
}
/** @see ChannelRow */
export const CHANNELS: Readonly<Record<Channel, ChannelRow>> = {
  sms: { word: "SMS", text: "sms", autofill: true, devices: true },
  email: { word: "Email", text: "email", autofill: false, devices: false },
};

/** Each field as an input of a form: its names, its type (also for autofill), an example, and what it does with typing. */
interface UsernameRow {
  readonly label: string;
  readonly word: string;
  readonly type: "tel" | "email";
  readonly example: string;
  /** The other fields by which a user can be reached. */
  readonly others: readonly UsernameField[];
}
/** @see UsernameRow */
export const USERNAMES: Readonly<Record<UsernameField, UsernameRow>> = {
  phone: { label: "Phone number", word: "Phone", type: "tel", example: "+12025550100", others: ["email"] },
  email: { label: "Email address", word: "Email", type: "email", example: "ada@example.com", others: ["phone"] },
};

/** The fields by which users can be reached. */
export const USERNAME_FIELDS: readonly UsernameField[] = ["phone", "email"];

/** @returns the profile field that is the username in an app. */
export const usernameField = ({ strategy }: { readonly strategy: Strategy }): UsernameField =>
  STRATEGIES[strategy].field;

/** @param name as written in a file or an input. @returns the strategy; `phone`, the default, if there is none such. */
export const strategyOf = (name: unknown): Strategy => STRATEGY_NAMES.find((one) => one === name) ?? "phone";
