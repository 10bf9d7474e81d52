/** The form of a tool for AI agents, and how its results and failures reach the agent. */
import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import type { Client } from "#client/client.ts";
import { StagedoorError } from "#client/index.ts";
import { type Session, ToolError } from "./agent-session.ts";
import { CommandError } from "./io.ts";

/** Input fields of every tool about an app. */
export const ofApp = {
  appId: z.string().exactOptional().meta({ description: "Default: the newest app." }),
};

const HINTS = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  destroys: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Readonly<Record<string, ToolAnnotations>>;

interface Spec<I extends z.ZodObject, O extends z.ZodObject, C> {
  readonly title: string;
  /** For the agent: costs tokens in every session. */
  readonly description: string;
  readonly input: I;
  /** Only its fields reach the agent. */
  readonly output: O;
  /** Its effect on the emulator, for hosts that ask for confirmation. */
  readonly hint: keyof typeof HINTS;
  /** @returns the result, and a short text. @throws ToolError, CommandError */
  run(args: z.output<I>, context: C): Promise<{ text: string; data: z.input<O> }>;
}

/** Adds a tool to a server. */
export type Tool = (server: McpServer, session: Session) => void;

/** What a feature has for agents. */
export interface AgentTools {
  readonly tools: readonly Tool[];
  /** A line about them, for the instructions of every session. */
  readonly instructions?: string;
}
/** How what each feature has for agents is loaded, by its name. */
export type AgentCode = Readonly<Record<string, () => Promise<AgentTools>>>;

/** @returns what the features have for agents. */
export const loadTools = (code: AgentCode): Promise<readonly AgentTools[]> =>
  Promise.all(Object.values(code).map((load) => load()));

const toolErrorWords = (error: unknown): string => {
  if (error instanceof ToolError) return `${error.code}: ${error.message}`;
  if (!(error instanceof CommandError)) return `internal: ${error instanceof Error ? error.message : String(error)}`;
  return `${error.cause instanceof StagedoorError ? error.cause.reason : "not_running"}: ${error.message}`;
};

interface CallContext {
  readonly session: Session;
  readonly request: ServerContext["mcpReq"];
}

/** @returns the input, which names its keys to whoever sends another. */
const namingKeys = ({ shape }: z.ZodObject): z.ZodObject =>
  z.strictObject(shape, {
    error: ({ code, keys = [] }) =>
      code === "unrecognized_keys"
        ? `Unknown: ${JSON.stringify(keys).slice(1, -1)}. Known: ${Object.keys(shape).join(", ") || "none"}.`
        : undefined,
  });

/** @returns a tool that can be added to a server. @param name in snake_case. */
export const tool =
  <I extends z.ZodObject, O extends z.ZodObject>(name: string, spec: Spec<I, O, CallContext>): Tool =>
  (server, session) => {
    const { title, description, hint } = spec;
    const inputSchema = namingKeys(spec.input);
    const outputSchema: z.ZodObject = spec.output;
    const annotations = { ...HINTS[hint], openWorldHint: false };
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      async (given, { mcpReq: request }): Promise<CallToolResult> => {
        try {
          // Parsed again, because the SDK's own validation loses the type.
          const { text, data } = await spec.run(spec.input.parse(given), { session, request });
          return { content: [{ type: "text", text }], structuredContent: { ...spec.output.parse(data) } };
        } catch (error) {
          return { content: [{ type: "text", text: toolErrorWords(error) }], isError: true };
        }
      },
    );
  };

interface AppContext extends CallContext {
  readonly appId: string;
  /** Calls the emulator with access to the app. @throws CommandError */
  ask<T>(use: (client: Client) => Promise<T>): Promise<T>;
}

/** @returns a tool about an app, whose id is added to its input. @param name in snake_case. */
export const appTool = <I extends z.ZodObject, O extends z.ZodObject>(
  name: string,
  spec: Spec<I, O, AppContext>,
): Tool => {
  const input: z.ZodObject = z.strictObject({ ...ofApp, ...spec.input.shape });
  return tool(name, {
    ...spec,
    input,
    run: async ({ appId: named, ...given }, context) => {
      const appId = await context.session.appOf(ofApp.appId.optional().parse(named));
      return await spec.run(spec.input.parse(given), {
        ...context,
        appId,
        ask: (use) => context.session.ask(use, appId),
      });
    },
  });
};
