/** MCP tools for users: listing them, signing them in, their codes, and defective tokens. */
import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Profile } from "#client/records.ts";
import { generateInput } from "#contract/control/generate.ts";
import type { Attribute } from "#contract/service/attributes.ts";
import type { ProfileExtras } from "#contract/service/profiles.ts";
import { DEFECT_NAMES, defectTexts, isAdvice } from "#contract/service/token-defects.ts";
import { recipientValue } from "#contract/words/phone-words.ts";
import { many } from "#contract/words/words.ts";
import { ToolError } from "#server/plumbing/agent-session.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";
import { given } from "#server/plumbing/options.ts";

const to = z.string().meta({ description: "Phone number (E.164) or email address." });
const user = z.object({
  userId: z.string(),
  ...({
    name: z.string().nullable(),
    phone: z.string().nullable(),
    email: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    testPasscode: z.string().nullable(),
    scenario: z.unknown().meta({ description: "A lasting failure of this user; null: none." }),
  } satisfies Readonly<Record<Attribute | keyof ProfileExtras, z.ZodType>>),
});
const users = z.object({ users: z.array(user), total: z.int() });

const profilesText = (items: readonly Profile[], heading: string): string =>
  [
    heading,
    ...items.map(({ userId, name, phone, email, testPasscode, scenario }) =>
      [
        ...[userId, name, phone, email],
        testPasscode && `fixed code ${testPasscode}`,
        scenario && `scenario ${JSON.stringify(scenario)}`,
      ]
        .filter(Boolean)
        .join("  "),
    ),
  ].join("\n");

const MOST_SHOWN = 50;

const listUsers = appTool("list_users", {
  title: "List users",
  description: "Users of the app, oldest first.",
  input: z.strictObject({
    q: z.string().exactOptional().meta({ description: "Part of a name, phone, email or id." }),
    limit: z.int().min(1).max(MOST_SHOWN).default(20),
  }),
  output: users,
  hint: "reads",
  run: async (query, { appId, ask }) => {
    const { items, total } = await ask(({ profiles }) => profiles.list({ appId, ...query }));
    return { text: profilesText(items, `${many(total, "user")}.`), data: { users: items, total } };
  },
});

const newUser = z.strictObject({
  phone: z.string().exactOptional(),
  email: z.string().exactOptional(),
  name: z.string().exactOptional(),
  metadata: z.record(z.string(), z.unknown()).exactOptional(),
  testPasscode: z.string().exactOptional().meta({ description: "A code that always works for this user." }),
  scenario: z
    .string()
    .nullable()
    .exactOptional()
    .meta({ description: "A lasting failure: locked, expiredCodes, noDelivery, slow or serverError; null: none." }),
} satisfies Readonly<Record<Attribute | keyof ProfileExtras, z.ZodType>>);

const makeUsers = appTool("make_users", {
  title: "Create users",
  description: "Adds users, or updates those with the same username; or generates realistic ones. All or nothing.",
  input: z.strictObject({
    users: z.array(newUser).max(1_000).default([]),
    generate: generateInput.exactOptional(),
  }),
  output: users.meta({ description: `The new users, at most ${MOST_SHOWN}; total: all of the app.` }),
  hint: "adds",
  run: async ({ users: wanted, generate }, { appId, ask }) =>
    await ask(async ({ state, profiles }) => {
      const app: object = { appId, profiles: wanted, ...given({ generate }) };
      const made = await state.import(JSON.parse(JSON.stringify({ apps: [app] })), { appId });
      const { items, total } = await profiles.list({ appId, limit: 1_000 });
      const contacts = new Set(wanted.flatMap(({ phone, email }) => [phone, email?.toLowerCase()]));
      const isWanted = ({ phone, email }: Profile): boolean =>
        contacts.has(phone ?? "") || contacts.has(email?.toLowerCase() ?? "");
      const some = (generate === undefined ? items.filter(isWanted) : items).slice(-MOST_SHOWN);
      const heading = `Created or updated ${many(made.profiles, "user")}; ${appId} has ${total}.`;
      return { text: profilesText(some, heading), data: { users: some, total } };
    }),
});

const signInAs = appTool("sign_in_as", {
  title: "Sign in as a user",
  description:
    "Signs a user in without a code and returns a session token; creates the user if there is none. To test the login itself, use the app and wait_for_code.",
  input: z.strictObject({
    to,
    name: z.string().exactOptional(),
    ttlSeconds: z.int().min(1).max(31_536_000).exactOptional(),
  }),
  output: z.object({ userId: z.string(), sessionId: z.string(), token: z.string(), expiresAt: z.string() }),
  hint: "adds",
  run: async ({ to: recipient, ...more }, { appId, ask }) => {
    const who = {
      appId,
      ...(recipient.includes("@") ? { email: recipient } : { phone: recipientValue(recipient) }),
      ...more,
    };
    const { userId, token, session } = await ask((client) => client.signInAs(who));
    const { id: sessionId, expiresAt } = session;
    const text = `Signed in until ${expiresAt}: user ${userId}, session ${sessionId}.\n${token}`;
    return { text, data: { userId, sessionId, token, expiresAt } };
  },
});

/** Interval of progress notifications during a wait, which keep the host from timing out; milliseconds. */
const PROGRESS_MS = 5_000;

/** Sends progress notifications during a wait, if the host has requested them. */
const withProgress = async <T>(request: ServerContext["mcpReq"], message: string, wait: Promise<T>): Promise<T> => {
  const progressToken = request._meta?.progressToken;
  if (progressToken === undefined) return await wait;
  let progress = 0;
  const timer = setInterval(() => {
    const params = { progressToken, progress: ++progress, message };
    request.notify({ method: "notifications/progress", params }).catch(() => undefined);
  }, PROGRESS_MS);
  return await wait.finally(() => clearInterval(timer));
};

const waitForCode = appTool("wait_for_code", {
  title: "Wait for a code",
  description:
    "The newest active code of a user, at once or as soon as the app under test has requested it. If none arrives, returns what arrived instead.",
  input: z.strictObject({
    to,
    after: z.int().min(0).default(0).meta({ description: "Only codes after this seq, such as that of the last code." }),
    timeoutSeconds: z.number().min(0).max(300).default(30),
  }),
  output: z.object({ code: z.string(), userId: z.string(), seq: z.int(), message: z.string(), expiresAt: z.string() }),
  hint: "reads",
  run: async ({ to: recipient, after, timeoutSeconds }, { appId, ask, request }) => {
    const query = { appId, to: recipient, after, timeoutMs: timeoutSeconds * 1_000, signal: request.signal };
    const wait = ask(({ passcodes }) => passcodes.next(query));
    const data = await withProgress(request, `Waiting for a code to ${recipient}`, wait);
    return { text: `${data.code} (to ${recipient}, seq ${data.seq}, expires ${data.expiresAt})`, data };
  },
});

const wrongToken = appTool("wrong_token", {
  title: "Get an invalid token",
  description:
    "A session token that is invalid in one way, to check that a backend rejects it with 401 or 403. All at once: npx stagedoor token-check URL.",
  input: z.strictObject({
    sessionId: z.string().meta({ description: "From sign_in_as." }),
    defect: z.enum(DEFECT_NAMES).meta({ description: defectTexts(DEFECT_NAMES) }),
  }),
  output: z.object({
    token: z.string(),
    why: z.string().nullable(),
    mustRefuse: z.boolean().meta({ description: "false: most libraries accept it." }),
  }),
  hint: "reads",
  run: async ({ sessionId, defect }, { appId, ask }) => {
    const { token, why } = await ask(async ({ sessions }) => {
      if ((await sessions.get(sessionId)).appId !== appId)
        throw new ToolError("not_your_app", `The session is not of ${appId}. Use one of sign_in_as.`);
      return await sessions.wrongToken(sessionId, { defect });
    });
    const mustRefuse = !isAdvice(defect);
    const verdict = mustRefuse ? "A backend must reject it." : "A backend may accept it.";
    return { text: `${why ?? ""} ${verdict}\n${token}`, data: { token, why, mustRefuse } };
  },
});

/** @see the file */
export const USER_TOOLS: readonly Tool[] = [listUsers, makeUsers, signInAs, waitForCode, wrongToken];
