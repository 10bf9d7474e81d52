/** Defines `stagedoor mcp`. */
import type { FeatureCommands } from "#server/plumbing/define.ts";

/** @see the file */
export const commands: FeatureCommands = {
  group: "Use a running Stagedoor:",
  define: ({ client, longAction }, { version }) => {
    client(
      "mcp",
      "give an AI agent tools for login tests (MCP over standard input and output)",
      "mcp",
      "mcp --app demo-app",
    )
      .option("--app <ID>", "let it use only this app (default: the apps it creates, which are deleted at the end)")
      .option("--all", "let it use every app")
      .addHelpText("after", "\nHow to add it to an agent: docs/agents.md.")
      .action(longAction(async () => (await import("./mcp.ts")).mcp(version)));
  },
};
