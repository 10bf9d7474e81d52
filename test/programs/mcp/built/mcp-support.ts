/** A real MCP client of the built `stagedoor mcp`, over stdio. */
import { Client, type VersionNegotiationOptions } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { expect } from "vitest";
import { z } from "zod";
import { clean, PROGRAM, SCRIPT } from "#test/cli/support.ts";

/** The result of a tool. */
export interface Answered {
  readonly isError: boolean;
  readonly text: string;
  /** Read it with `part`. */
  readonly data: unknown;
}

const result = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.object({ type: z.literal("text"), text: z.string() })).length(1),
  structuredContent: z.unknown().optional(),
});

/** An agent's session. */
export class Agent {
  readonly client: Client;
  /** What the server wrote to standard error. */
  stderr = "";

  /** @param negotiation of the protocol's revision; default: like hosts from before there was any. */
  constructor(negotiation?: VersionNegotiationOptions) {
    const options = negotiation === undefined ? {} : { versionNegotiation: negotiation };
    this.client = new Client({ name: "test", version: "1.0.0" }, options);
  }

  /** Starts it. @param args of `stagedoor mcp`. */
  async open(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<this> {
    const transport = new StdioClientTransport({
      command: PROGRAM,
      args: [...SCRIPT, "mcp", ...args],
      env: clean(env),
      stderr: "pipe",
    });
    transport.stderr?.on("data", (chunk: Buffer) => {
      this.stderr += chunk.toString();
    });
    await this.client.connect(transport);
    return this;
  }

  /** Calls a tool. */
  async call(name: string, args: Record<string, unknown> = {}): Promise<Answered> {
    const {
      isError = false,
      content,
      structuredContent,
    } = result.parse(await this.client.callTool({ name, arguments: args }));
    return { isError, text: content[0]?.text ?? "", data: structuredContent };
  }

  /** Calls a tool that must succeed. @returns its data. */
  async ask<T extends z.ZodType>(shape: T, name: string, args: Record<string, unknown> = {}): Promise<z.output<T>> {
    const { isError, text, data } = await this.call(name, args);
    expect(isError, text).toBe(false);
    return shape.parse(data);
  }

  /** Calls a tool that must fail. @returns its message. */
  async fail(name: string, args: Record<string, unknown> = {}): Promise<string> {
    const { isError, text } = await this.call(name, args);
    expect(isError, text).toBe(true);
    return text;
  }

  /** Ends the session like hosts do: by closing its standard input. */
  close(): Promise<void> {
    return this.client.close();
  }
}
