/** The exploration that is shown: from a file that was dropped, pasted or chosen, or the one of `stagedoor open`. */
import { useQuery } from "@tanstack/react-query";
import { create } from "zustand";
import { type Explored, type ExploredRun, explored } from "#contract/documents/explorations.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { query } from "../../api/queries.ts";
import type { Tone } from "../../ui/tones.ts";

const useTaken = create<{ readonly taken: Explored | null }>(() => ({ taken: null }));

/** Shows the exploration in a text. @throws Error with a message if it holds none. */
export const takeExploration = (text: string, name: string | null): void => {
  const { data } = explored.safeParse(parsedJson(text));
  if (data === undefined)
    throw new Error(
      `${name ?? "The text"} is not the JSON of an exploration. \`stagedoor explore --out DIR\` writes one.`,
    );
  useTaken.setState({ taken: data });
};

/** @returns what is shown; null: nothing. */
export const useExploration = () => {
  const { taken } = useTaken();
  const opened = useQuery({
    ...query(["exploration"], ({ requests }) => requests.exploration()),
    enabled: taken === null,
  });
  return taken === null ? opened : { data: taken, error: null, refetch: () => undefined };
};

/** The word and the colour of each result. */
export const RESULTS: Readonly<Record<ExploredRun["result"], readonly [word: string, tone: Tone]>> = {
  passed: ["passed", "ok"],
  failed: ["failed", "bad"],
  timedOut: ["timed out", "warn"],
  missed: ["did not come", "quiet"],
};

/** @returns the id of a cell in the address. */
export const cellId = ({ step, kind }: Pick<ExploredRun, "step" | "kind">): string => `${step}:${kind}`;
