/** The commands for the shell itself (CONTRACT 13). Neither warns of anything: shells run them at each start and key. */
import { Argument, type Command } from "commander";
import { type Definer, type Shell, STATUSES } from "./define.ts";

const SET_UP = `
Set it up once, for every shell that you open from then on:
  bash  echo 'eval "$(stagedoor completion bash)"' >> ~/.bashrc
  zsh   echo 'source <(stagedoor completion zsh)' >> ~/.zshrc   (below the line with compinit)
  fish  stagedoor completion fish > ~/.config/fish/completions/stagedoor.fish
The script asks stagedoor itself what may come next, so it stays up to date.`;

/** Defines these commands, `program` being what is completed. */
export const defineCompletion = (program: Command, { command }: Definer, { io }: Shell): void => {
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

  // What the scripts ask: the words so far, the last one being typed.
  program
    .command("__complete", { hidden: true })
    .argument("[WORDS...]")
    .action(async (words: string[]) => {
      const { completionsOf, namesOf } = await import("./complete.ts");
      io.out(await completionsOf(program, words, namesOf));
    });
};
