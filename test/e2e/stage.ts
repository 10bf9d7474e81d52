/**
 * What the tests of the console page share: a built server, calls to it, and a visitor who notices what a page must not do.
 */
import { randomInt } from "node:crypto";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { type Call, caller } from "#test/hosts/client.ts";
import { test as browserTest } from "#test/support/browser.ts";

/** A test that waits for longer has failed; vitest would not say at what. */
const TIMEOUT_MS = 30_000;

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
}

/** @returns the server with the world, the log and the snapshots that a new one has. */
const asNew = async (server: Server): Promise<Server> => {
  // A test that failed has left it crashed.
  if (server.built.child.exitCode ?? server.built.child.signalCode)
    server.built = await startOnOwnPort(["--ephemeral"]);
  const control = caller(() => `${server.built.ready.consoleUrl}/emulator/v1`);
  for (const { name } of (await control("GET", "/snapshots")).json.items) await control("DELETE", `/snapshots/${name}`);
  expect((await control("DELETE", "/state")).status).toBe(204);
  expect((await control("DELETE", "/requests")).status).toBe(204);
  return server;
};

/**
 * A server for the tests of a file: without arguments the worker's own, as new; else one that is started for them.
 * @param args of `start`. @param env what it runs in.
 */
export const useStage = (args?: () => readonly string[], env: () => NodeJS.ProcessEnv = cleanEnv): Stage => {
  let server: Server | undefined;
  const running = (): Built => {
    if (server === undefined) throw new Error("the server is not up");
    return server.built;
  };
  if (args === undefined)
    test.beforeAll(async ({ emulator }) => {
      server = await asNew(emulator);
    });
  else {
    beforeAll(async () => {
      server = { built: await startOnOwnPort(args(), env()) };
    });
    afterAll(async () => {
      await server?.built.stop();
    });
  }
  const given = args ?? (() => ["--ephemeral"]);
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
  /** As `open`, and waits until the console listens to keys and to the server: what comes before that is lost. */
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

const withEmulator = browserTest.extend<{ $worker: { emulator: Server } }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures it needs
    async ({}, use) => {
      const server: Server = { built: await startOnOwnPort(["--ephemeral"]) };
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
      page.setDefaultTimeout(TIMEOUT_MS);
      await page.emulateMedia({ colorScheme: scheme });
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: new URL(url).origin });
      await page.goto(url);
      return page;
    });
  },
  visit: async ({ open }, use) => {
    await use(async (url, scheme) => {
      const page = await open(url, scheme);
      // The stream is opened by an effect of the frame, after those that bind the keys.
      await page.getByTestId("connection").filter({ hasText: "Running" }).waitFor();
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

/** @returns the row that shows a text. */
export const rowWith = (page: Page, text: string) => page.getByRole("listitem").filter({ hasText: text });
