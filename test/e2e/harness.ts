/** Helpers for the console's browser tests: a built server, calls to it, and a page watched for forbidden behaviour. */
import { randomInt, randomUUID } from "node:crypto";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { test as browserTest } from "#test/support/browser.ts";
import { settled, watchTraffic } from "./settled.ts";

/** A test that waits longer has failed; vitest's own timeout would not say where. */
const TIMEOUT_MS = 30_000;
const EPHEMERAL = ["--ephemeral"];

/** Users of the demo. */
export const ADA = "+12025550100";
/** @see ADA */
export const GRACE = "+12025550101";

/** A running server, and how to call it. */
export interface Harness {
  readonly auth: Call;
  readonly control: Call;
  /** A URL of the console. */
  url(path: string): string;
  /** The three URLs. */
  readonly built: Built;
  /** Sends a code to a user of the demo app. @returns the code. */
  sendCode(phone: string): Promise<string>;
  /** Signs in with a code. @returns the status and the token. */
  signIn(phone: string, passcode: string): Promise<{ status: number; token: string }>;
  /** Kills the server like a crash, and restarts it on the same data and console port when told. */
  crash(): Promise<{ comeBack: () => Promise<void> }>;
}

/**
 * Starts a server on a console port outside the range that the system assigns, so that the port is still free
 * after a crash.
 */
const startOnOwnPort = async (args: readonly string[], env = cleanEnv()): Promise<Built> => {
  for (let tries = 1; ; tries++) {
    const port = randomInt(10_240, 32_768);
    try {
      return await startBuilt([...args, "--console-port", String(port)], env);
    } catch (error) {
      if (tries === 5 || !String(error).includes(`Port ${port} is already in use`)) throw error;
    }
  }
};

/** A server that can be restarted. */
interface Server {
  built: Built;
  /** Whether it is unused. */
  isNew: boolean;
  /** Whether it starts with local network access and TLS. */
  readonly network: { readonly open: boolean; readonly on: boolean };
  /** Starts another one like it. */
  readonly start: () => Promise<Built>;
}

const launch = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> => {
  const start = (): Promise<Built> => startOnOwnPort(args, env);
  const network = { open: args.includes("--lan"), on: args.includes("--tls") };
  return { built: await start(), isNew: true, network, start };
};

/** Resets a server to the data, log, snapshots and network of a new one, whatever a test has left. */
const renew = async (server: Server): Promise<void> => {
  if (server.isNew) {
    server.isNew = false;
    return;
  }
  // A failed test has left it crashed.
  if (server.built.child.exitCode !== null || server.built.child.signalCode !== null)
    server.built = await server.start();
  const control = caller(() => `${server.built.ready.consoleUrl}/emulator/v1`);
  const { open, on } = server.network;
  expect((await control("PUT", "/lan", { open })).status).toBe(200);
  expect((await control("PUT", "/tls", { on })).status).toBe(200);
  // Faults and clocks go with the state, and so do the snapshots of apps without a fixture.
  for (const path of ["/state", "/requests", "/coverage"]) expect((await control("DELETE", path)).status).toBe(204);
  const { items: apps } = (await control("GET", "/apps")).json;
  for (const scope of ["", ...apps.map(({ appId }: { appId: string }) => `?appId=${appId}`)])
    for (const { name } of (await control("GET", `/snapshots${scope}`)).json.items)
      await control("DELETE", `/snapshots/${name}${scope}`);
};

/**
 * A server for the tests of a file, reset before each of them and each attempt: without arguments the worker's own,
 * otherwise a separate one.
 * @param args of `start`. @param env its environment.
 */
export const useHarness = (args?: () => readonly string[], env: () => NodeJS.ProcessEnv = cleanEnv): Harness => {
  let server: Server | undefined;
  const running = (): Built => {
    if (server === undefined) throw new Error("the server is not up");
    return server.built;
  };
  if (args === undefined)
    test.beforeEach(async ({ emulator }) => {
      server = emulator;
      await renew(emulator);
    });
  else {
    beforeAll(async () => {
      server = await launch(args(), env());
    });
    beforeEach(async () => {
      if (server !== undefined) await renew(server);
    });
    afterAll(async () => {
      await server?.built.stop();
    });
  }
  const given = args ?? (() => EPHEMERAL);
  const auth = caller(() => running().ready.authUrl);
  const control = caller(() => `${running().ready.consoleUrl}/emulator/v1`);
  return {
    auth,
    control,
    get built() {
      return running();
    },
    url: (path) => running().ready.consoleUrl + path,
    sendCode: async (phone) => {
      expect((await auth("POST", "/v1/users/session", { appId: "demo-app", user: { phone } })).status).toBe(202);
      return (await control("GET", `/passcodes/latest?appId=demo-app&to=${encodeURIComponent(phone)}`)).json.code;
    },
    signIn: async (phone, passcode) => {
      const answer = await auth("PUT", "/v1/users/session", { appId: "demo-app", user: { phone }, passcode });
      return { status: answer.status, token: answer.json.token };
    },
    crash: async () => {
      const { port } = new URL(running().ready.consoleUrl);
      await running().stop("SIGKILL");
      return {
        comeBack: async () => {
          if (server !== undefined) server.built = await startBuilt([...given(), "--console-port", port], env());
        },
      };
    },
  };
};

/** Presses the place, and then the tab, under which a screen is. @param press counts what is pressed. */
export const openScreen = async (
  page: Page,
  [place, tab]: readonly [place: string, tab?: string],
  press: (what: Locator) => Promise<void> = (what) => what.click(),
): Promise<void> => {
  const links = page.getByRole("navigation", { name: "Places" });
  await press(links.getByRole("link", { name: new RegExp(`^${place}`) }));
  if (tab !== undefined) await press(page.getByRole("navigation", { name: "Parts" }).getByRole("link", { name: tab }));
};

/** @returns another code of the same length. */
export const wrongCode = (code: string): string => (code === "111111" ? "222222" : "111111");

interface Visits {
  /** Opens a URL in a page that is watched until the test ends. */
  readonly open: (url: string, scheme?: "dark" | "light") => Promise<Page>;
  /** Like `open`, and waits until the console is connected and shows its data. */
  readonly visit: (url: string, scheme?: "dark" | "light") => Promise<Page>;
  /** Forbidden behaviour of the pages. */
  readonly faults: string[];
}

const watch = async (page: Page, faults: string[]): Promise<void> => {
  page.on("pageerror", (error) => faults.push(`threw: ${error.message}`));
  page.on("request", (request) => {
    const from = new URL(page.url() === "about:blank" ? request.url() : page.url()).origin;
    if (new URL(request.url()).origin !== from) faults.push(`left the origin: ${request.url()}`);
  });
  await page.exposeFunction("toldOfViolation", (words: string) => faults.push(`broke the policy: ${words}`));
  await page.addInitScript(() => {
    document.addEventListener(
      "securitypolicyviolation",
      ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
        const tell: unknown = Reflect.get(window, "toldOfViolation");
        if (typeof tell === "function") tell(`${effectiveDirective} ${blockedURI} ${sourceFile}:${lineNumber}`);
      },
    );
  });
};

/** Keys wait until the page is ready for them: while it still loads what they act on, they would be lost. */
const pressPatiently = (page: Page): void => {
  const { keyboard } = page;
  const [press, type] = [keyboard.press.bind(keyboard), keyboard.type.bind(keyboard)];
  keyboard.press = async (...given) => {
    await settled(page);
    await press(...given);
  };
  keyboard.type = async (...given) => {
    await settled(page);
    await type(...given);
  };
};

const withEmulator = browserTest.extend<{ $worker: { emulator: Server } }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
    async ({}, use) => {
      const server = await launch(EPHEMERAL);
      await use(server);
      await server.built.stop();
    },
    { scope: "worker" },
  ],
});

/** A test with `visit`; it fails if a page violated its policy, threw, or sent a request elsewhere. */
export const test = withEmulator.extend<Visits>({
  // biome-ignore lint/correctness/noEmptyPattern: as above
  faults: async ({}, use) => {
    const faults: string[] = [];
    await use(faults);
    expect(faults).toEqual([]);
  },
  open: async ({ newPage, faults }, use) => {
    await use(async (url, scheme = "dark") => {
      const page = await newPage();
      await watch(page, faults);
      watchTraffic(page);
      pressPatiently(page);
      page.setDefaultTimeout(TIMEOUT_MS);
      // Nothing moves while clicked, or fades in while read.
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
      await page.goto(url);
      return page;
    });
  },
  visit: async ({ open }, use) => {
    await use(async (url, scheme) => {
      const page = await open(url, scheme);
      // The frame opens the stream after binding the keys; then the screen loads its data.
      await page.getByTestId("connection").filter({ hasText: "Running" }).waitFor();
      await settled(page);
      return page;
    });
  },
});

/** Like `test`, in a browser context of its own: for tests that change more than a page, such as the clock. */
export const testApart = test.extend({
  newPage: async ({ context }, use) => await use(() => context.newPage()),
});

/** Confirms the open dialog. @param label of its button. */
export const confirm = (page: Page, label: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name: label, exact: true }).click();

/** @returns the clipboard's text. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Runs an action that copies. @returns the text once it is on the clipboard, whatever was there before. */
export const copiedBy = async (page: Page, copy: () => Promise<unknown>): Promise<string> => {
  const before = randomUUID();
  await page.evaluate((text) => navigator.clipboard.writeText(text), before);
  await copy();
  await expect.poll(() => clipboard(page)).not.toBe(before);
  return await clipboard(page);
};

/** Holds back the requests for a URL. @returns lets them go, and those that follow. */
export const hold = async (page: Page, url: string | RegExp): Promise<() => void> => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(url, async (route) => {
    await held;
    await route.continue();
  });
  return release;
};

/** Pastes like Ctrl V, without the system's clipboard, into what has the focus. */
export const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);

/** Drops a file, or text, onto the page like a pointer. @returns whether the browser was kept from opening it. */
export const drop = (
  page: Page,
  what: { readonly file?: string; readonly text: string | readonly number[] },
): Promise<boolean[]> =>
  page.evaluate(({ file, text }) => {
    const dataTransfer = new DataTransfer();
    if (file === undefined) dataTransfer.setData("text/plain", String(text));
    else dataTransfer.items.add(new File([typeof text === "string" ? text : new Uint8Array(text)], file));
    return ["dragover", "drop"].map((name) => {
      const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      return event.defaultPrevented;
    });
  }, what);

/** @returns the row that contains a text. */
export const rowWith = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });
