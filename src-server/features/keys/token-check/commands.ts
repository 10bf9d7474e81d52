/** Defines `stagedoor token-check`. */
import { type FeatureCommands, JSON_LINE } from "#server/plumbing/define.ts";

export const commands: FeatureCommands = {
  group: "Devices and backends:",
  define: ({ client, longAction }) => {
    client(
      "token-check",
      "test which session tokens your backend accepts: a valid one, and an invalid one of each kind",
      "token-check http://127.0.0.1:3000/api/me",
      "token-check http://127.0.0.1:3000/api/me --rotate",
      'token-check http://127.0.0.1:3000/graphql --body \'{"query":"{me{id}}"}\'',
    )
      .argument("<URL>", "an endpoint of your backend that needs a token; this machine calls it")
      .option("--app <ID>", "the app whose tokens to use (default: the first)")
      .option("--to <TO>", "phone number or email address of the user (default: the first of the app)")
      .option("--method <METHOD>", "GET, POST, PUT, PATCH or DELETE (default: GET, or POST with --body)")
      .option("--header <HEADER>", 'header with the token (default: "Authorization: Bearer {token}")')
      .option("--body <TEXT>", "body of each call, such as a GraphQL query as JSON")
      .option("--rotate", "also try a new key, which must be accepted, and the same key once it is retired")
      .option("--cooldown <SECONDS>", "how long to wait before a rejected new key is tried again (default: 30)")
      .option(...JSON_LINE)
      .addHelpText(
        "after",
        "\nExit status: 1 if a token that must be rejected was accepted, or a valid one was rejected.",
      )
      .action(longAction(async () => (await import("./command.ts")).tokenCheck));
  },
};
