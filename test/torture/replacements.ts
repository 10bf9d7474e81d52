/** What people and tools do to the data of a running process. */
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";

const journalIn = (dir: string): string =>
  path.join(dir, readdirSync(dir).find((name) => name.startsWith("journal-")) ?? "journal-none");
const documentIn = (dir: string): string => path.join(dir, "stagedoor.json");

/** Puts a copy in the place of a file or folder. */
const byCopy = (at: string, aside: string): void => {
  cpSync(at, `${at}.copy`, { recursive: true });
  renameSync(at, aside);
  renameSync(`${at}.copy`, at);
};

/** Each by name: `dir` is the data folder, `aside` a path for what is taken away. */
export const REPLACEMENTS: Readonly<Record<string, (dir: string, aside: string) => void>> = {
  "the folder, by a copy": byCopy,
  "the folder, by an empty one": (dir, aside) => {
    renameSync(dir, aside);
    mkdirSync(dir);
  },
  "the journal, by a copy": (dir, aside) => byCopy(journalIn(dir), aside),
  "the journal, cut": (dir) => truncateSync(journalIn(dir), 40),
  "the journal, removed": (dir) => rmSync(journalIn(dir)),
  "the document file, by a copy": (dir, aside) => byCopy(documentIn(dir), aside),
  "the document file, removed": (dir) => rmSync(documentIn(dir)),
};
