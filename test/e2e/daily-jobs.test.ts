/** The daily jobs in the window: each with at most three clicks, and with keys alone. The table is printed. */
import type { Locator, Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { ADA, clipboard, drop, openScreen, paste, test, useHarness, wrongCode } from "./harness.ts";

const harness = useHarness();
const ADA_ID = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const CSV = "name,phone\nZoe,+12025550180\nYan,+12025550181\n";

const SCREENS_BY_NAME: Readonly<Record<string, readonly [place: string, tab?: string]>> = {
  Profiles: ["Users"],
  Sessions: ["Users", "Sessions"],
  Clock: ["Simulate", "Clock"],
  Fixtures: ["Setup", "Data"],
};

/** A mouse, or a keyboard: counts what is pressed. Typing a text counts as one press. */
class Hand {
  readonly presses: string[] = [];
  readonly page: Page;

  constructor(page: Page) {
    this.page = page;
  }

  async click(what: Locator, name: string): Promise<void> {
    this.presses.push(name);
    await what.click();
  }

  async screen(name: string): Promise<void> {
    const screen = SCREENS_BY_NAME[name] ?? [name];
    await openScreen(this.page, screen, (what) => this.click(what, name));
  }

  async button(name: string | RegExp, words = String(name)): Promise<void> {
    await this.click(this.page.getByRole("button", { name, exact: true }).first(), words);
  }

  async row(text: string): Promise<void> {
    await this.click(this.page.getByRole("row").filter({ hasText: text }), text);
  }

  async key(key: string): Promise<void> {
    this.presses.push(key);
    await this.page.keyboard.press(key);
  }

  /** Types over what the focused field holds. */
  async type(text: string): Promise<void> {
    this.presses.push(`“${text}”`);
    await this.page.keyboard.type(text);
  }

  /** Runs a command of the palette. */
  async command(text: string, title: string): Promise<void> {
    await this.key("Control+k");
    await this.page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).focus();
    await this.type(text);
    await this.page.getByRole("option", { selected: true }).filter({ hasText: title }).waitFor();
    await this.key("Enter");
  }

  /** Tabs to something. */
  async tabTo(what: Locator): Promise<void> {
    let tabs = 0;
    for (; tabs < 20; tabs++) {
      if (await what.evaluate((one) => one === document.activeElement)) break;
      await this.page.keyboard.press("Tab");
    }
    this.presses.push(`Tab ×${tabs}`);
    await expect.poll(() => what.evaluate((one) => one === document.activeElement)).toBe(true);
  }
}

interface Job {
  readonly name: string;
  /** Before the page is opened; @returns what the check needs. */
  readonly given?: () => Promise<unknown>;
  readonly mouse: (hand: Hand) => Promise<unknown>;
  readonly keys: (hand: Hand) => Promise<unknown>;
  readonly done: (page: Page, given: string) => Promise<unknown>;
}

const ada = async () => (await harness.control("GET", `/profiles/${ADA_ID}?appId=demo-app`)).json;
const isActive = async () => (await harness.control("GET", "/sessions?appId=demo-app&state=active")).json.total;
const requests = async () => (await harness.control("GET", "/requests?listener=auth")).json;
const faults = async () => (await harness.control("GET", "/faults")).json.total;
const profiles = async (q: string) => (await harness.control("GET", `/profiles?appId=demo-app&q=${q}`)).json.total;
const failedLogin = async () => {
  const code = await harness.sendCode(ADA);
  await harness.signIn(ADA, wrongCode(code));
  return code;
};
/** As a window does it. */
const deleteAda = async (page: Page): Promise<void> => {
  await page.evaluate(
    (body) =>
      fetch("/emulator/v1/profiles/delete", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body,
      }).then((answer) => answer.text()),
    JSON.stringify({ apps: [{ appId: "demo-app", userIds: [ADA_ID] }] }),
  );
  await page.getByRole("region", { name: "Last change" }).waitFor();
};

const JOBS: readonly Job[] = [
  {
    name: "copy the newest code",
    given: () => harness.sendCode(ADA),
    mouse: (hand) => hand.button(/^Copy c$|^Copy$/, "Copy"),
    keys: (hand) => hand.key("c"),
    done: (page, code) => expect.poll(() => clipboard(page)).toBe(code),
  },
  {
    name: "see why a login failed",
    given: failedLogin,
    mouse: (hand) => hand.click(hand.page.getByRole("list", { name: "Logins" }).getByRole("link").first(), "the login"),
    keys: async (hand) => {
      await hand.command("failed", "Failed logins");
      await hand.page.getByRole("list", { name: "Logins" }).getByRole("link").first().waitFor();
      await hand.key("j");
      await hand.key("Enter");
    },
    done: (page, code) => {
      const login = page.getByRole("region", { name: "Login of Ada Lovelace" });
      return login.getByText(wrongCode(code), { exact: true }).first().waitFor({ state: "attached" });
    },
  },
  {
    name: "sign in as a user",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.button("More for Ada Lovelace", "⋯");
      await hand.click(hand.page.getByRole("menuitem", { name: "Sign in as Ada Lovelace" }), "Sign in");
    },
    keys: (hand) => hand.command("sign in as ada", "Sign in as Ada Lovelace"),
    done: () => expect.poll(isActive).toBe(1),
  },
  {
    name: "create a user",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.click(hand.page.getByRole("link", { name: "New user" }), "New");
      await hand.page.getByRole("textbox", { name: "Name", exact: true }).fill("Zoe");
      await hand.page.keyboard.press("Enter");
    },
    keys: async (hand) => {
      await hand.command("new user", "New user");
      await hand.page.getByRole("region", { name: "New user" }).waitFor();
      await hand.type("Zoe");
      await hand.key("Enter");
    },
    done: () => expect.poll(() => profiles("")).toBe(13),
  },
  {
    name: "edit a user",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.row("Ada Lovelace");
      await hand.click(hand.page.getByRole("link", { name: "Edit e" }), "Edit");
      await hand.page.getByRole("textbox", { name: "Name", exact: true }).fill("Ada L.");
      await hand.page.keyboard.press("Enter");
    },
    keys: async (hand) => {
      await hand.command("open ada", "Open Ada Lovelace");
      await hand.page.getByRole("region", { name: "Profile of Ada Lovelace" }).waitFor();
      await hand.key("e");
      await hand.page.getByRole("textbox", { name: "Name", exact: true }).waitFor();
      await hand.page.keyboard.press("Control+a");
      await hand.type("Ada L.");
      await hand.key("Enter");
    },
    done: () => expect.poll(async () => (await ada()).name).toBe("Ada L."),
  },
  {
    name: "edit a user’s metadata",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.row("Ada Lovelace");
      await hand.click(hand.page.getByRole("link", { name: "Edit e" }), "Edit");
      await hand.page.getByRole("textbox", { name: "Metadata" }).fill('{ "plan": "pro" }');
      await hand.page.keyboard.press("Control+Enter");
    },
    keys: async (hand) => {
      await hand.command("open ada", "Open Ada Lovelace");
      await hand.page.getByRole("region", { name: "Profile of Ada Lovelace" }).waitFor();
      await hand.key("e");
      await hand.tabTo(hand.page.getByRole("textbox", { name: "Metadata" }));
      await hand.page.keyboard.press("Control+a");
      await hand.type('{ "plan": "pro" }');
      await hand.key("Control+Enter");
    },
    done: () => expect.poll(async () => (await ada()).metadata).toEqual({ plan: "pro" }),
  },
  {
    name: "delete a user",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.button("More for Ada Lovelace", "⋯");
      await hand.click(hand.page.getByRole("menuitem", { name: "Delete Ada Lovelace" }), "Delete");
    },
    keys: async (hand) => {
      await hand.command("open ada", "Open Ada Lovelace");
      await hand.page.getByRole("region", { name: "Profile of Ada Lovelace" }).waitFor();
      await hand.key("#");
    },
    done: () => expect.poll(() => profiles("")).toBe(11),
  },
  {
    name: "undo the deletion",
    mouse: async (hand) => {
      await deleteAda(hand.page);
      await hand.button("Undo u", "Undo");
    },
    keys: async (hand) => {
      await deleteAda(hand.page);
      await hand.key("u");
    },
    done: () => expect.poll(() => profiles("")).toBe(12),
  },
  {
    name: "lock a user",
    mouse: async (hand) => {
      await hand.screen("Profiles");
      await hand.button("More for Ada Lovelace", "⋯");
      await hand.click(hand.page.getByRole("menuitem", { name: "Lock Ada Lovelace" }), "Lock");
    },
    keys: (hand) => hand.command("lock ada", "Lock Ada Lovelace"),
    done: () => expect.poll(async () => (await ada()).scenario).toBe("locked"),
  },
  {
    name: "a 503 from a request’s row",
    given: () => harness.sendCode(ADA),
    mouse: async (hand) => {
      await hand.screen("Requests");
      await hand.button("More for POST /v1/users/session", "⋯");
      await hand.click(hand.page.getByRole("menuitem", { name: "Returns 503, the next POST" }), "Returns 503");
    },
    keys: async (hand) => {
      await hand.command("requests", "Go to Requests");
      const menu = hand.page.getByRole("button", { name: "More for POST /v1/users/session" });
      await menu.waitFor();
      await hand.key("j");
      await hand.tabTo(menu);
      await hand.key("Enter");
      await hand.page.getByRole("menuitem").first().waitFor();
      await hand.key("ArrowDown");
      await hand.key("Enter");
    },
    done: () => expect.poll(faults).toBe(1),
  },
  {
    name: "expire a code",
    given: () => harness.sendCode(ADA),
    mouse: async (hand) => {
      await hand.click(hand.page.getByRole("button", { name: "More for Ada Lovelace" }).last(), "⋯");
      await hand.click(hand.page.getByRole("menuitem", { name: "Expire the code of Ada Lovelace" }), "Expire");
    },
    keys: (hand) => hand.key("e"),
    done: async (_page, code) => expect.poll(async () => (await harness.signIn(ADA, code)).status).toBe(401),
  },
  {
    name: "revoke a session",
    given: () => harness.control("POST", "/sessions", { appId: "demo-app", userId: ADA_ID }),
    mouse: async (hand) => {
      await hand.screen("Sessions");
      await hand.button("Revoke the session of Ada Lovelace", "Revoke");
    },
    keys: (hand) => hand.command("revoke ada", "Revoke sessions of Ada Lovelace"),
    done: () => expect.poll(isActive).toBe(0),
  },
  {
    name: "move the clock",
    mouse: async (hand) => {
      await hand.screen("Clock");
      await hand.button("+1 h");
    },
    keys: (hand) => hand.command("clock forward 1 h", "Move the clock forward by 1 h"),
    done: () =>
      expect.poll(async () => (await harness.control("GET", "/clock?appId=demo-app")).json.offsetSeconds).toBe(3_600),
  },
  {
    name: "import a file",
    mouse: async (hand) => {
      // A drop is one press.
      await drop(hand.page, { file: "users.csv", text: CSV });
      hand.presses.push("drop");
      await hand.button("Import 2 users");
    },
    keys: async (hand) => {
      await paste(hand.page, CSV);
      hand.presses.push("Control+v");
      await hand.page.getByText("Valid: 2 profiles.").waitFor();
      await hand.key("Control+Enter");
    },
    done: () => expect.poll(() => profiles("20255501")).toBeGreaterThan(13),
  },
  {
    name: "export fixtures",
    mouse: async (hand) => {
      await hand.screen("Fixtures");
      await hand.button("Download");
    },
    keys: (hand) => hand.command("export fixtures", "Export fixtures"),
    done: async () => undefined,
  },
  {
    name: "resend a request",
    given: () => harness.sendCode(ADA),
    mouse: async (hand) => {
      await hand.screen("Requests");
      await hand.click(hand.page.getByRole("list", { name: "Requests" }).getByRole("link").first(), "the request");
      await hand.button("Resend");
    },
    keys: async (hand) => {
      await hand.command("requests", "Go to Requests");
      await hand.page.getByRole("list", { name: "Requests" }).getByRole("link").first().waitFor();
      await hand.key("j");
      await hand.key("Enter");
      await hand.tabTo(hand.page.getByRole("button", { name: "Resend", exact: true }));
      await hand.key("Enter");
    },
    done: () => expect.poll(async () => (await requests()).total).toBe(2),
  },
];

const table: string[] = [];
afterAll(() => {
  process.stdout.write(
    ["", "| job | clicks | with the mouse | with keys |", "| --- | --- | --- | --- |", ...table, ""].join("\n"),
  );
});

test.for(JOBS)(
  "$name: three clicks at most, and with keys alone",
  async ({ name, given, mouse, keys, done }, { visit }) => {
    const lines: string[] = [name];
    for (const way of [mouse, keys]) {
      await harness.control("DELETE", "/state");
      await harness.control("DELETE", "/requests");
      const before = String(await given?.());
      const page = await visit(harness.url("/codes?app=demo-app"));
      const download = name === "export fixtures" ? page.waitForEvent("download") : null;
      const hand = new Hand(page);
      await way(hand);
      await done(page, before);
      expect((await download)?.suggestedFilename() ?? "demo-app-").toMatch(/^demo-app-/);
      if (way === mouse) {
        expect(hand.presses.length).toBeLessThanOrEqual(3);
        lines.push(String(hand.presses.length));
      }
      lines.push(hand.presses.join(", "));
      await page.close();
    }
    table.push(`| ${lines.join(" | ")} |`);
  },
);
