/** `stagedoor mcp`: Stagedoor as tools for AI agents (CONTRACT 13). What other kits have for them is in their `tools.ts`. */
import { frozen } from "#contract/frozen.ts";

/** @see the file */
export const manifest = frozen({ title: "Tools for AI agents (MCP)", page: "agents.md" } as const);
