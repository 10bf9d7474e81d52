/** Defines the commands for shell completion (CONTRACT 13). They print no warnings: shells run them all the time. */
import { Argument, type Command } from "commander";
import { type Definer, STATUSES } from "./define.ts";
import type { Io } from "./io.ts";

const SET_UP = `
Set it up once, for every shell that you open from then on:
  bash  echo 'eval "$(stagedoor completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(stagedoor completion zsh)' >> ~/.zshrc   (below the line with compinit)
  fish  stagedoor completion fish > ~/.config/fish/completions/stagedoor.fish
The script asks stagedoor itself what may come next, so it stays up to date.`;

/** Defines these commands. @param program the program to complete. */
export const defineCompletion = (program: Command, { command }: Definer, io: Io): void => {
  command(
    "completion",
    "print a script that completes commands, options, app ids and snapshot names",
    "completion bash",
  )
    .addArgument(new Argument("<SHELL>", "your shell").choices(["bash", "zsh", "fish"]))
    .addHelpText("after", `${SET_UP}${STATUSES}`)
    .action(async (shell: "bash" | "zsh" | "fish") => {
      const { COMPLETION_SCRIPTS } = await import("./completion-scripts.ts");
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
