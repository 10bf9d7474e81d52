/** The definition of a tool for `stagedoor mcp`, and how its results and failures reach the agent (CONTRACT 13). */
import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";
import { z } from "zod";
import { StagedoorError } from "#client/index.ts";
import { CommandError } from "../io.ts";
import type { Session } from "./session.ts";
import { ToolError } from "./tool-error.ts";

/** Input fields of every tool about an app. */
export const ofApp = {
  appId: z.string().exactOptional().meta({ description: "Default: the app made last." }),
};

const HINTS = {
  reads: { readOnlyHint: true },
  adds: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  sets: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  destroys: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
} as const satisfies Readonly<Record<string, ToolAnnotations>>;

/** A tool. */
interface Spec<I extends z.ZodObject, O extends z.ZodObject> {
  readonly title: string;
  /** For the agent: costs tokens in every session. */
  readonly description: string;
  readonly input: I;
  readonly output: O;
  /** Its effect on the emulator, for hosts that ask for confirmation. */
  readonly hint: keyof typeof HINTS;
  /** @returns the result, and a short text. @throws ToolError, CommandError */
  run(args: z.output<I>, session: Session, context: ServerContext): Promise<{ text: string; data: z.input<O> }>;
}

/** Adds a tool to a server. */
export type Tool = (server: McpServer, session: Session) => void;

/** @returns a failure as text: its code, what is wrong, and what to do. */
const wordsOf = (error: unknown): string => {
  if (error instanceof ToolError) return `${error.code}: ${error.message}`;
  if (!(error instanceof CommandError)) return `internal: ${error instanceof Error ? error.message : String(error)}`;
  return `${error.cause instanceof StagedoorError ? error.cause.reason : "not_running"}: ${error.message}`;
};

/** @returns a tool that can be added to a server. @param name in snake_case. */
export const tool =
  <I extends z.ZodObject, O extends z.ZodObject>(name: string, spec: Spec<I, O>): Tool =>
  (server, session) => {
    const { title, description, hint } = spec;
    const [inputSchema, outputSchema]: readonly [z.ZodObject, z.ZodObject] = [spec.input, spec.output];
    const annotations = { ...HINTS[hint], openWorldHint: false };
    server.registerTool(
      name,
      { title, description, inputSchema, outputSchema, annotations },
      async (given, context): Promise<CallToolResult> => {
        try {
          // Parsed again, because the SDK's own validation loses the type.
          const { text, data } = await spec.run(spec.input.parse(given), session, context);
          return { content: [{ type: "text", text }], structuredContent: { ...data } };
        } catch (error) {
          return { content: [{ type: "text", text: wordsOf(error) }], isError: true };
        }
      },
    );
  };

/** A user in results. */
export const userFields = z.object({
  userId: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  metadata: z.record(z.string(), z.unknown()).nullable(),
});
