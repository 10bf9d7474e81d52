import { z } from "zod";

const SETTING = "stagedoor.recent-commands";
const KEPT = 6;
const ids = z.array(z.string());

/** @returns the ids of the commands that were run last, the last one first. */
export const recentCommands = (): readonly string[] => {
  try {
    return ids.parse(JSON.parse(localStorage.getItem(SETTING) ?? "[]"));
  } catch {
    return [];
  }
};

/** Remembers that a command was run. */
export const rememberCommand = (id: string): void => {
  const before = recentCommands().filter((one) => one !== id);
  localStorage.setItem(SETTING, JSON.stringify([id, ...before].slice(0, KEPT)));
};

/** @returns commands with the recent ones first. */
export const recentFirst = <T extends { readonly id: string }>(
  commands: readonly T[],
  recent: readonly string[],
): T[] => {
  const first = recent.flatMap((id) => commands.find((command) => command.id === id) ?? []);
  return [...first, ...commands.filter((command) => !recent.includes(command.id))];
};
