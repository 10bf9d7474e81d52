/** Defines the commands for the data of a running emulator. */
import { Option } from "commander";
import { type Definer, JSON_LINE, withColumns } from "#server/plumbing/define.ts";

/** Defines these commands. */
export const defineData = ({ client, action }: Definer): void => {
  const seed = client(
    "seed",
    "import fixtures or users, all or nothing",
    "seed fixtures/team.jsonc",
    "seed --generate 50 --app demo-app",
    "seed users.csv --app demo-app --dry-run",
    'seed export.json --map "Plan=metadata.plan" --country US',
  )
    .argument("[FILE...]", "fixtures, or users as JSON, NDJSON or CSV, as other tools export them; - is standard input")
    .option("--app <ID>", "the app of the users; required if there are several");
  withColumns(seed)
    // Files are read by their content.
    .addOption(new Option("--format <KIND>", "has no effect: files are read by their content").hideHelp())
    .option("--replace", "delete everything that is not in the files")
    .option("--dry-run", "show what would happen to each column and user, without changing anything")
    .option(...JSON_LINE)
    .optionsGroup("Generated users, instead of files:")
    .option("--generate <N>", "generate N users, with reserved phone numbers and domains")
    .option("--seed <TEXT>", "seed of the generator; the same seed generates the same users (default: 1)")
    .addOption(new Option("--locale <L>", "of the names (default: en)").choices(["en", "de", "fr", "es", "ar", "ja"]))
    .action(action(async () => (await import("./seed.ts")).seed));

  client(
    "export",
    "export all data as a fixture file",
    "export > world.json",
    "export --app demo-app --minimal fixtures/demo.json",
  )
    .argument("[FILE]", "file to write (default: standard output)")
    .option("--app <ID>", "only this app")
    .option("--volatile", "include passcodes, sessions and clocks")
    .option("--minimal", "leave out nulls, defaults, times, and ids that nothing refers to")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./export.ts")).exportState));

  client("reset", "reset to the fixtures", "reset --app demo-app")
    .option("--app <ID>", "only this app")
    .option(...JSON_LINE)
    .action(action(async () => (await import("./export.ts")).reset));
};
