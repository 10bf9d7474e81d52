/** The first change of docs/internals/changes.md, made whole in a copy of the sources, which then runs: users sign up and in by it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Copy, copySources } from "./copy.ts";

/** A third way to sign in, by a channel of its own: the first edit, and what the compiler then asks for. */
const CHANGE = `--- a/src-server/contract/service/strategies.ts
+++ b/src-server/contract/service/strategies.ts
@@
-export const CHANNEL_NAMES = frozen(["sms", "email"] as const);
+export const CHANNEL_NAMES = frozen(["sms", "email", "whatsapp"] as const);
@@
-export const STRATEGY_NAMES = frozen(["phone", "email"] as const);
+export const STRATEGY_NAMES = frozen(["phone", "email", "whatsapp"] as const);
@@
   email: { field: "email", channel: "email" },
+  whatsapp: { field: "phone", channel: "whatsapp" },
@@
   email: { word: "Email", text: "email", autofill: false, devices: false },
+  whatsapp: { word: "WhatsApp", text: "sms", autofill: false, devices: false },
`;

const APP = "by-whatsapp";
const PHONE = "+12025550123";

let copy: Copy;
beforeAll(async () => {
  copy = await copySources();
  await copy.apply(CHANGE);
});
afterAll(() => copy.remove());

test("a second channel signs users up and in, over HTTP and on the command line", { timeout: 120_000 }, async () => {
  const [testing, program] = [await copy.load("src-server/testing.ts"), await copy.load("src-server/program.ts")];
  const { startStagedoor } = testing as typeof import("#server/testing.ts");
  const { createProgram } = program as typeof import("#server/program.ts");
  const server = await startStagedoor();
  /** Runs a command of the copy. @returns what it printed as JSON. */
  const run = async (...args: readonly string[]): Promise<unknown> => {
    const printed: unknown[] = [];
    const nothing = (): void => undefined;
    const io = {
      out: nothing,
      err: (line: string) => printed.push(line),
      json: (value: unknown) => printed.push(value),
      progress: nothing,
      input: async () => new Uint8Array(),
      ask: async () => null,
    };
    const commands = createProgram({
      version: "0",
      io,
      called: [],
      run: async (command) => void (await command()),
      untilSignal: (task) => task(new AbortController().signal),
    });
    await commands.parseAsync([...args, "--url", server.consoleUrl, "--json"], { from: "user" });
    return printed[0];
  };
  const auth = (method: "POST" | "PUT", path: string, body: object): Promise<Response> =>
    fetch(`${server.authUrl}/v1/users/${path}`, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ appId: APP, ...body }),
    });
  try {
    expect(await run("apps", "create", APP, "--strategy", "whatsapp")).toMatchObject({
      appId: APP,
      strategy: "whatsapp",
    });

    // A new user is signed up at once, a known one gets a code.
    expect((await auth("POST", "session", { user: { name: "Ada", phone: PHONE } })).status).toBe(200);
    expect((await auth("POST", "session", { user: { phone: PHONE } })).status).toBe(202);
    const [sent] = (await server.client.passcodes.list({ appId: APP })).items;
    expect(sent).toMatchObject({ channel: "whatsapp", to: PHONE });
    expect(await run("passcode", PHONE, "--app", APP)).toMatchObject({ code: sent?.code });
    const signedIn = await auth("PUT", "session", { user: { phone: PHONE }, passcode: sent?.code });
    expect(signedIn.status).toBe(200);
  } finally {
    await server.close();
  }
});
