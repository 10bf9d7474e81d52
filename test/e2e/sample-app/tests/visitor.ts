/**
 * What a user does with the sample app, in the words of its page.
 */
import type { Locator, Page } from "playwright-core";

/** A user in front of a page. */
export interface Visitor {
  readonly page: Page;
  /** What went wrong, as the page says it. */
  readonly trouble: Locator;
  /** What went well, as the page says it. */
  readonly notice: Locator;
  open(): Promise<void>;
  signUp(user: { readonly name?: string; readonly phone: string; readonly email?: string }): Promise<void>;
  askForCode(phone: string): Promise<void>;
  enterCode(code: string): Promise<void>;
  /** Presses a button by its name. */
  press(name: string): Promise<void>;
  /** A field of the profile. */
  field(label: string): Locator;
  /** Waits for the profile. @param name as the page greets. */
  seesProfileOf(name: string): Promise<void>;
  /** Waits for a text among the page's lines. */
  sees(text: string | RegExp): Promise<void>;
}

/** @param url of the site. */
export const createVisitor = (page: Page, url: string): Visitor => {
  const form = (name: string) => page.getByRole("form", { name });
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
  const sees = (text: string | RegExp) => page.getByText(text).waitFor();
  return {
    page,
    trouble: page.getByRole("alert"),
    notice: page.getByRole("status"),
    open: async () => {
      await page.goto(url);
    },
    signUp: async ({ name = "", phone, email = "" }) => {
      await form("Sign up").getByLabel("Name").fill(name);
      await form("Sign up").getByLabel("Phone").fill(phone);
      await form("Sign up").getByLabel("Email").fill(email);
      await press("Create my account");
    },
    askForCode: async (phone) => {
      await form("Log in").getByLabel("Phone").fill(phone);
      await press("Send me a code");
    },
    enterCode: async (code) => {
      await page.getByLabel("Code", { exact: true }).and(page.getByRole("textbox")).fill(code);
      await press("Log in");
    },
    press,
    field: (label) => form("Profile").getByLabel(label),
    seesProfileOf: (name) => page.getByRole("heading", { name: `Hello, ${name}`, exact: true }).waitFor(),
    sees,
  };
};
