/** `stagedoor mcp`: the emulator as tools for AI agents, over stdio. */
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { FEATURE_TOOLS } from "#features/tools.ts";
import { type Confines, Session } from "#server/plumbing/agent-session.ts";
import { type AgentTools, loadTools } from "#server/plumbing/agent-tool.ts";
import type { Whereabouts } from "#server/plumbing/emulator.ts";
import { type Io, wrongUsage } from "#server/plumbing/io.ts";
import { APP_TOOLS } from "./app-tools.ts";
import { REQUEST_TOOLS } from "./request-tools.ts";
import { USER_TOOLS } from "./user-tools.ts";

const INSTRUCTIONS = `Stagedoor emulates a sign-in service on this machine: sign up, send a code, sign in. Nothing is sent by SMS or email.
To write and run a login test:
1. make_app, then give the app under test the auth URL and appId, and its backend the admin URL and secret.
2. Have the app request a code. A new user is signed up at once (200, no code); an existing one gets a code (202): make_users.
3. wait_for_code, and enter the code in the app. If a step fails, explain_failure.
4. Also test what goes wrong for users: a wrong code, an expired one (advance_clock), no message or a slow server (set_fault), and tokens that the backend must reject (sign_in_as, wrong_token). checkpoint goes back to a state.`;
const END =
  "In tests, the package stagedoor/client does what these tools do. If Stagedoor is not running: npx stagedoor start --detach";

const serverOf = (session: Session, version: string, features: readonly AgentTools[]): McpServer => {
  const instructions = [INSTRUCTIONS, ...features.flatMap(({ instructions = [] }) => instructions), END].join("\n");
  const server = new McpServer({ name: "stagedoor", title: "Stagedoor", version }, { instructions });
  for (const add of [...APP_TOOLS, ...USER_TOOLS, ...REQUEST_TOOLS, ...features.flatMap(({ tools }) => tools)])
    add(server, session);
  return server;
};

/**
 * Serves the tools until stdin ends, then deletes the apps that the session created. Looks for the emulator at each
 * call, so it may start later. @param ended also ends it. @returns 0. @throws CommandError
 */
export const mcp =
  (version: string) =>
  async (_io: Io, ended: AbortSignal, { app, all, ...where }: Whereabouts & Confines): Promise<number> => {
    if (app !== undefined && all === true) throw wrongUsage("Use either --app or --all, not both.");
    const session = new Session(where, { app, all });
    const over = new Promise<void>((resolve) => {
      for (const event of ["end", "close", "error"]) process.stdin.once(event, () => resolve());
      ended.addEventListener("abort", () => resolve());
    });
    const features = await loadTools(FEATURE_TOOLS);
    const handle = serveStdio(() => serverOf(session, version, features), { transport: new StdioServerTransport() });
    await over;
    await handle.close();
    await session.end();
    process.stdin.destroy();
    return 0;
  };
