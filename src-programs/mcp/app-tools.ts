/** MCP tools for the app: its URLs and its clock. */
import { z } from "zod";
import { StagedoorError } from "#client/index.ts";
import type { App, Status } from "#client/records.ts";
import { clockAdvance, clockItem } from "#contract/control/clock.ts";
import { strategy } from "#contract/service/apps.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { type UsernameField, usernameField } from "#contract/service/strategies.ts";
import { wireBody } from "#contract/service/wire-body.ts";
import type { Session } from "#server/plumbing/agent-session.ts";
import { appTool, ofApp, type Tool, tool } from "#server/plumbing/agent-tool.ts";
import { CommandError } from "#server/plumbing/io.ts";

const place = z.object({
  urls: z
    .object({ admin: z.string(), auth: z.string(), console: z.string(), authFromAndroidEmulator: z.string() })
    .nullable()
    .meta({ description: "null: this access token may not read them." }),
  app: z
    .object({ appId: z.string(), name: z.string(), strategy, codeDigits: z.int(), codeSeconds: z.int() })
    .nullable(),
  requestCode: z
    .string()
    .nullable()
    .meta({ description: "The first request: 200 signs a new user up, 202 sends a code to an existing one." }),
  signIn: z.string().nullable().meta({ description: "The second, with the code." }),
});

const EXAMPLE: Readonly<Record<UsernameField, string>> = { phone: "+12025550123", email: "ada@example.com" };

/** @returns the status; null for an app-bound token, which cannot read it. */
const readStatus = async (session: Session, appId: string | undefined): Promise<Status | null> => {
  try {
    return await session.ask((client) => client.status(), appId);
  } catch (error) {
    const cause = error instanceof CommandError ? error.cause : undefined;
    if (cause instanceof StagedoorError && cause.reason === "not_your_app") return null;
    throw error;
  }
};

const sessionPlace = async (
  session: Session,
  app: App | null,
): Promise<{ data: z.input<typeof place>; text: string }> => {
  const status = await readStatus(session, app?.appId);
  const { admin = "", auth = "", console = "" } = status?.urls ?? {};
  const authFromAndroidEmulator = auth.replace(/127\.0\.0\.1|localhost/, "10.0.2.2");
  const urls = status === null ? null : { admin, auth, console, authFromAndroidEmulator };
  const lines = urls === null ? [] : [`auth ${auth}, admin ${admin}, console ${console}`];
  if (app === null) {
    const text = [...lines, "No app yet: call make_app."].join("\n");
    return { data: { urls, app, requestCode: null, signIn: null }, text };
  }
  const { appId, name, strategy: by, settings } = app;
  const { passcode, wire } = effectiveSettings(settings);
  const request = (method: string, ...code: readonly string[]): string =>
    `${method} ${auth}/v1/users/session ${JSON.stringify(wireBody(wire, app, EXAMPLE[usernameField(app)], ...code))}`;
  const requestCode = request("POST");
  const signIn = request("PUT", "<code>");
  lines.push(`App ${appId}, users sign in by ${by}.`, `Request a code: ${requestCode}`, `Sign in: ${signIn}`);
  const shown = { appId, name, strategy: by, codeDigits: passcode.length, codeSeconds: passcode.ttlSeconds };
  return { data: { urls, app: shown, requestCode, signIn }, text: lines.join("\n") };
};

const whereToConnect = tool("where_to_connect", {
  title: "Where to connect",
  description:
    "Base URLs for the app under test (auth) and its backend (admin), and the two requests of a login. Only make_app shows the app's secret.",
  input: z.strictObject(ofApp),
  output: place,
  hint: "reads",
  run: async ({ appId: named }, { session }) => {
    const appId = await session.appOrNone(named);
    return await sessionPlace(session, appId === null ? null : await session.ask(({ apps }) => apps.get(appId), appId));
  },
});

const makeApp = tool("make_app", {
  title: "Create an app",
  description:
    "Creates an isolated app (users, codes, clock, faults) for this session; it is deleted when the session ends. Configure the app under test with the returned appId and URLs. The secret is shown only now.",
  input: z.strictObject({
    strategy: strategy.exactOptional().meta({ description: "Default: phone." }),
    like: z.string().exactOptional().meta({ description: "A request with an unknown app id, to take it." }),
    name: z.string().max(255).exactOptional(),
    settings: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))
      .exactOptional()
      .meta({ description: 'By path, such as {"passcode.ttlSeconds": 60, "signUp": "closed"}.' }),
  }),
  output: place.extend({ secret: z.string().meta({ description: "For the backend: Authorization: Bearer <secret>" }) }),
  hint: "adds",
  run: async ({ settings = {}, ...input }, { session }) => {
    const made = await session.makeApp(input);
    const { appId, secret } = made;
    const update = (): Promise<App> => session.ask(({ apps }) => apps.update(appId, { settings }), appId);
    const app =
      Object.keys(settings).length === 0
        ? made
        : await update().catch(async (error: unknown) => {
            await session.deleteApp(appId);
            throw error;
          });
    const { data, text } = await sessionPlace(session, app);
    return { text: `${text}\nSecret, shown only now: ${secret}`, data: { ...data, secret } };
  },
});

const advanceClock = appTool("advance_clock", {
  title: "Advance the clock",
  description:
    "Moves the app's clock, so that codes and sessions expire without waiting: 601 s expires a code, 86401 s a session.",
  input: z.strictObject({
    seconds: clockAdvance.shape.seconds.default(0).meta({ description: "Negative: back. 0 only reads it." }),
    real: z.literal(true).exactOptional().meta({ description: "First returns to real time." }),
  }),
  output: clockItem.extend({ now: z.string(), frozenAt: z.string().nullable() }),
  hint: "adds",
  run: async ({ seconds, real }, { appId, ask }) => {
    const data = await ask(async ({ clock }) => {
      if (real) await clock.reset({ appId });
      return seconds === 0 ? await clock.read({ appId }) : await clock.advance(seconds, { appId });
    });
    return { text: `${appId}: ${data.now}, ${data.offsetSeconds} s from real time.`, data };
  },
});

/** @see the file */
export const APP_TOOLS: readonly Tool[] = [whereToConnect, makeApp, advanceClock];
