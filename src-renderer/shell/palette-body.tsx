import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { showDialog } from "../ui/dialogs.ts";
import type { Command } from "./command.ts";
import { ranked } from "./fuzzy.ts";
import classes from "./palette.module.css";
import { useCommands } from "./palette-commands.ts";
import { recentCommands, recentFirst, rememberCommand } from "./recent-commands.ts";

const optionId = (index: number): string => `command-${index}`;

/** What is typed, and the commands that answer it. */
export const PaletteBody = () => {
  const [typed, setTyped] = useState("");
  const [index, setIndex] = useState(0);
  const [recent] = useState(recentCommands);
  const { commands, people } = useCommands(typed);
  const input = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const found =
    typed.trim() === ""
      ? recentFirst(commands, recent)
      : [...ranked(typed, commands, ({ title, hint = "" }) => `${title} ${hint}`), ...people];
  const at = Math.min(index, found.length - 1);

  // It comes a moment after the dialog has opened, so the dialog could not give it the focus.
  useEffect(() => input.current?.focus(), []);
  useEffect(() => {
    list.current?.querySelector(`#${optionId(at)}`)?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const run = (command: Command | undefined): void => {
    if (command === undefined) return;
    showDialog(null);
    rememberCommand(command.id);
    command.run();
  };
  const step = (by: number): void => setIndex((at + by + found.length) % Math.max(1, found.length));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    switch (event.key) {
      case "ArrowDown":
        step(1);
        break;
      case "ArrowUp":
        step(-1);
        break;
      case "Enter":
        run(found[at]);
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  return (
    <>
      <input
        ref={input}
        className={classes.input}
        role="combobox"
        aria-label="Find a command or a person"
        aria-expanded="true"
        aria-controls="commands"
        aria-autocomplete="list"
        aria-activedescendant={at < 0 ? undefined : optionId(at)}
        placeholder="Find a command or a person"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setIndex(0);
        }}
      />
      <div ref={list} id="commands" role="listbox" aria-label="Commands" className={classes.list}>
        {found.map((command, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the input, which keeps the focus
          <div
            key={command.id}
            id={optionId(place)}
            role="option"
            tabIndex={-1}
            aria-selected={place === at}
            className={classes.option}
            onPointerMove={() => setIndex(place)}
            onClick={() => run(command)}
          >
            <bdi className={classes.title}>{command.title}</bdi>
            {command.hint !== undefined && <bdi className={classes.hint}>{command.hint}</bdi>}
          </div>
        ))}
      </div>
      {found.length === 0 && (
        <p className={classes.none} role="status">
          Nothing found for “{typed.trim()}”.
        </p>
      )}
    </>
  );
};
