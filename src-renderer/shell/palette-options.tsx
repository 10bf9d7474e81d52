import { Spotlight, useSpotlight } from "@mantine/spotlight";
import { useEffect } from "react";
import { counted } from "#contract/words/words.ts";
import { type Command, early, MOST_TYPED, optionId, palette, paletteStore } from "../ui/palette-store.ts";
import { useSettings } from "../ui/settings.ts";
import { useFoundGroups } from "./find-commands.ts";

/** How much of a text that finds nothing is said. */
const MOST_SAID = 80;
const RECENT = 6;
/** Closing restores the focus after a moment; a command that opens something waits for that. */
const FOCUS_BACK_MS = 20;

const run = (command: Command): void => {
  if (command.id !== "filter")
    useSettings.setState(({ recentCommands }) => ({
      recentCommands: [command.id, ...recentCommands.filter((id) => id !== command.id)].slice(0, RECENT),
    }));
  setTimeout(command.run, FOCUS_BACK_MS);
};

/** What is found for the typed text, in groups; one is selected, for Enter. */
export const PaletteOptions = () => {
  const { query, selected } = useSpotlight(paletteStore);
  const found = useFoundGroups(query);
  const all = found.flatMap(({ commands }) => commands);
  const [first] = all;
  const at = Math.min(Math.max(0, selected), all.length - 1);
  // Spotlight selects nothing on opening, and does not know users that are found later.
  useEffect(() => {
    if (selected !== at) paletteStore.setState({ ...paletteStore.getState(), selected: at });
  }, [selected, at]);
  useEffect(() => {
    if (!early.enter || first === undefined) return;
    early.enter = false;
    palette.close();
    run(first);
  }, [first]);
  const sought = query.trim();
  const isNothing = found.every(({ title }) => title === "Filter");
  return (
    <>
      {query.length >= MOST_TYPED && (
        <p role="status" className="dim small" style={{ padding: "8px 14px" }}>
          A long text: only its first {counted(MOST_TYPED)} characters are looked at.
        </p>
      )}
      {isNothing && (
        <Spotlight.Empty>
          <span role="status">
            Nothing found for “{sought.length > MOST_SAID ? `${sought.slice(0, MOST_SAID)}…` : sought}”.
          </span>
        </Spotlight.Empty>
      )}
      <Spotlight.ActionsList>
        <div id="commands" role="listbox" aria-label="Commands">
          {found.map(({ title, commands }) => (
            <Spotlight.ActionsGroup key={title} label={title} role="group" aria-label={title}>
              {commands.map((command) => {
                const index = all.indexOf(command);
                return (
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
                    <bdi className="cut" style={{ flex: "1 0 auto", maxWidth: "100%" }}>
                      {command.title}
                    </bdi>
                    <bdi className="cut dim small">{command.hint}</bdi>
                  </Spotlight.Action>
                );
              })}
            </Spotlight.ActionsGroup>
          ))}
        </div>
      </Spotlight.ActionsList>
    </>
  );
};
