import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { useEffect } from "react";
import { useSettings } from "../ui/settings.ts";
import classes from "./palette.module.css";
import { useCommands } from "./palette-commands.ts";
import { type Command, early, optionId, palette, paletteStore } from "./palette-store.ts";
import { ranked, recentFirst } from "./ranked.ts";

const RECENT = 6;
/** Closing gives the focus back to where it was, after a moment; a command that opens something waits for that. */
const FOCUS_BACK_MS = 20;

const run = (command: Command): void => {
  useSettings.setState(({ recentCommands }) => ({
    recentCommands: [command.id, ...recentCommands.filter((id) => id !== command.id)].slice(0, RECENT),
  }));
  setTimeout(command.run, FOCUS_BACK_MS);
};

/** The commands that answer what is typed; one is selected, for Enter. */
export const PaletteOptions = () => {
  const { query, selected } = useSpotlight(paletteStore);
  const { recentCommands } = useSettings();
  const { commands, people } = useCommands(query);
  const found =
    query.trim() === ""
      ? recentFirst(commands, recentCommands)
      : [...ranked(query, commands, ({ title, hint = "" }) => `${title} ${hint}`), ...people];
  const at = Math.min(Math.max(0, selected), found.length - 1);
  // Spotlight selects nothing when it opens, and does not know of people who are found later.
  useEffect(() => {
    if (selected !== at) paletteStore.setState({ ...paletteStore.getState(), selected: at });
  }, [selected, at]);

  const [first] = found;
  useEffect(() => {
    if (!early.enter || first === undefined) return;
    early.enter = false;
    palette.close();
    run(first);
  }, [first]);
  return (
    <>
      {found.length === 0 && (
        <Spotlight.Empty>
          <span role="status">Nothing found for “{query.trim()}”.</span>
        </Spotlight.Empty>
      )}
      <Spotlight.ActionsList>
        <div id="commands" role="listbox" aria-label="Commands">
          {found.map((command, index) => (
            <Spotlight.Action
              key={command.id}
              ref={(button) => {
                if (button !== null) button.id = optionId(index);
              }}
              role="option"
              aria-selected={index === at}
              data-selected={index === at || undefined}
              onClick={() => run(command)}
            >
              <bdi className={classes["title"]}>{command.title}</bdi>
              {command.hint !== undefined && <bdi className="dim small">{command.hint}</bdi>}
            </Spotlight.Action>
          ))}
        </div>
      </Spotlight.ActionsList>
    </>
  );
};
