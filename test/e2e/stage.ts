/**
 * What the tests of the console page share: a built server, calls to it, and a visitor who notices what a page must not do.
 */
import { randomInt, randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { test as browserTest } from "#test/support/browser.ts";
import { settled, watchTraffic } from "./settled.ts";

/** A test that waits for longer has failed; vitest would not say at what. */
const TIMEOUT_MS = 30_000;
const EPHEMERAL = ["--ephemeral"];

/** Users of the demo world. */
export const ADA = "+12025550100";
/** @see ADA */
export const GRACE = "+12025550101";

/** A running server and how to call it. */
export interface Stage {
  readonly auth: Call;
  readonly control: Call;
  /** An address of the console. */
  url(path: string): string;
  /** The three URLs. */
  readonly built: Built;
  /** Has a code sent to a user of the demo app. @returns the code. */
  sendCode(phone: string): Promise<string>;
  /** Signs in with a code. @returns the status and the token. */
  signIn(phone: string, passcode: string): Promise<{ status: number; token: string }>;
  /** Kills the server as a crash would, and starts it again on the same data and console port when told. */
  crash(): Promise<{ comeBack: () => Promise<void> }>;
}

/**
 * Starts a server whose console has a port that the system gives to nobody who asks for any: one that comes back after a
 * crash finds it free.
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

/** A server that may be started again. */
interface Server {
  built: Built;
  /** Whether no test has used it. */
  isNew: boolean;
  /** Whether it is open to the local network at first, and speaks TLS. */
  readonly network: { readonly open: boolean; readonly on: boolean };
  /** Starts another one like it. */
  readonly start: () => Promise<Built>;
}

const launch = async (args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Server> => {
  const start = (): Promise<Built> => startOnOwnPort(args, env);
  const network = { open: args.includes("--lan"), on: args.includes("--tls") };
  return { built: await start(), isNew: true, network, start };
};

/** Gives a server the world, the log, the snapshots and the network that a new one has, whatever a test has left. */
const renew = async (server: Server): Promise<void> => {
  if (server.isNew) {
    server.isNew = false;
    return;
  }
  // A test that failed has left it crashed.
  if (server.built.child.exitCode !== null || server.built.child.signalCode !== null)
    server.built = await server.start();
  const control = caller(() => `${server.built.ready.consoleUrl}/emulator/v1`);
  const { open, on } = server.network;
  expect((await control("PUT", "/lan", { open })).status).toBe(200);
  expect((await control("PUT", "/tls", { on })).status).toBe(200);
  // Faults and clocks go with the state, and so do the snapshots of apps that the fixtures do not have.
  for (const path of ["/state", "/requests"]) expect((await control("DELETE", path)).status).toBe(204);
  const { items: apps } = (await control("GET", "/apps")).json;
  for (const scope of ["", ...apps.map(({ appId }: { appId: string }) => `?appId=${appId}`)])
    for (const { name } of (await control("GET", `/snapshots${scope}`)).json.items)
      await control("DELETE", `/snapshots/${name}${scope}`);
};

/**
 * A server for the tests of a file, as new for each of them, and for each try of one: without arguments the worker's own,
 * else one that is started for them.
 * @param args of `start`. @param env what it runs in.
 */
export const useStage = (args?: () => readonly string[], env: () => NodeJS.ProcessEnv = cleanEnv): Stage => {
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

/** @returns a code that is as long, and another. */
export const wrongCode = (code: string): string => (code === "111111" ? "222222" : "111111");

interface Visits {
  /** Opens an address in a page that is watched until the test ends. */
  readonly open: (url: string, scheme?: "dark" | "light") => Promise<Page>;
  /** As `open`, and waits until the console listens to the server and shows what it has read. */
  readonly visit: (url: string, scheme?: "dark" | "light") => Promise<Page>;
  /** What the pages did that they must not do. */
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

/** Keys wait until the page can answer them: while it still loads what they act on, they would be lost. */
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

/** A test with `visit`; it fails when a page broke its policy, threw, or sent a request elsewhere. */
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
      // Nothing moves under a click, or is read while it fades in.
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
      await page.goto(url);
      return page;
    });
  },
  visit: async ({ open }, use) => {
    await use(async (url, scheme) => {
      const page = await open(url, scheme);
      // The stream is opened by an effect of the frame, after those that bind the keys; then the screen is read.
      await page.getByTestId("connection").filter({ hasText: "Running" }).waitFor();
      await settled(page);
      return page;
    });
  },
});

/** As `test`, in a context of the test's own: for those that change more than a page, such as the browser's clock. */
export const testApart = test.extend({
  newPage: async ({ context }, use) => await use(() => context.newPage()),
});

/** Answers the question of the dialog that is open with yes. @param label of its button. */
export const confirm = (page: Page, label: string): Promise<void> =>
  page.getByRole("dialog").getByRole("button", { name: label, exact: true }).click();

/** @returns what is on the clipboard. */
export const clipboard = (page: Page): Promise<string> => page.evaluate(() => navigator.clipboard.readText());

/** Does what copies a text. @returns the text, as soon as it is on the clipboard, whatever was there before. */
export const copiedBy = async (page: Page, copy: () => Promise<unknown>): Promise<string> => {
  const before = randomUUID();
  await page.evaluate((text) => navigator.clipboard.writeText(text), before);
  await copy();
  await expect.poll(() => clipboard(page)).not.toBe(before);
  return await clipboard(page);
};

/** @returns the row that shows a text. */
export const rowWith = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });
