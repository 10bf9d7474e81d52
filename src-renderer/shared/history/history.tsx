import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { TimelineItem } from "#client/index.ts";
import { explain } from "../../api/emulator.ts";
import { RowButton } from "../../ui/action.tsx";
import { Lines, RelativeTime } from "../../ui/parts.tsx";
import { Loaded } from "../../ui/screen.tsx";
import { historyQuery } from "./queries.ts";
import { historyWords, undoItem } from "./undo-band.tsx";

/** What was done in the windows of the console, newest first; each can be undone, and done again. */
export const History = () => {
  const history = useQuery(historyQuery());
  const [refused, setRefused] = useState<{ readonly seq: number; readonly text: string } | null>(null);
  const items = history.data?.items ?? [];
  const run = (shown: TimelineItem, item: TimelineItem) => async (): Promise<void> => {
    setRefused(null);
    await undoItem(item).catch((error: unknown) => setRefused({ seq: shown.seq, text: explain(error) }));
  };
  return (
    <Loaded of={history}>
      {() => (
        <>
          {items.length === 0 && <p className="dim">No changes since Stagedoor started.</p>}
          <Lines label="History" columns="minmax(0, 1fr) auto">
            {items
              .filter(({ undoes }) => undoes === undefined)
              .map((item) => {
                const undo = items.find(({ undoes, undone }) => undoes === item.seq && undone !== true);
                return (
                  <li key={item.seq}>
                    <span style={{ minWidth: 0 }}>
                      <bdi style={item.undone && { textDecoration: "line-through" }}>{historyWords(item)}</bdi>{" "}
                      <span className="dim small">
                        <RelativeTime instant={item.at} appId={null} />
                        {item.undone && " · undone"}
                      </span>
                      {refused?.seq === item.seq && (
                        <p role="alert" className="bad small">
                          {refused.text}
                        </p>
                      )}
                    </span>
                    {item.undone !== true && <RowButton label="Undo" act={run(item, item)} />}
                    {undo !== undefined && <RowButton label="Redo" act={run(item, undo)} />}
                  </li>
                );
              })}
          </Lines>
        </>
      )}
    </Loaded>
  );
};
