/** Defines the commands for shell completion. They print no warnings: shells run them all the time. */
import { Argument } from "commander";
import { type FeatureCommands, STATUSES } from "#server/plumbing/define.ts";

const SET_UP = `
Set it up once, for every shell that you open from then on:
  bash  echo 'eval "$(stagedoor completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(stagedoor completion zsh)' >> ~/.zshrc   (below the line with compinit)
  fish  stagedoor completion fish > ~/.config/fish/completions/stagedoor.fish
The script asks stagedoor itself what may come next, so it stays up to date.`;

const define: FeatureCommands["define"] = ({ command }, { io }, program) => {
  command(
    "completion",
    "print a script that completes commands, options, app ids and snapshot names",
    "completion bash",
  )
    .addArgument(new Argument("<SHELL>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", `${SET_UP}${STATUSES}`)
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { COMPLETION_SCRIPTS } = await import("./scripts.ts");
      io.out(COMPLETION_SCRIPTS[shell]);
    });

  // Called by the scripts with the words so far, the last one incomplete.
  program
    .command("__complete", { hidden: true })
    .argument("[WORDS...]")
    .action(async (words: string[]) => {
      const { completionsOf, namesOf } = await import("./complete.ts");
      io.out(await completionsOf(program, words, namesOf));
    });
};

/** @see the file */
export const commands: FeatureCommands = { group: "Your shell:", define };
