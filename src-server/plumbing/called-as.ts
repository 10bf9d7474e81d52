/** Commands in texts, as they can be typed where this one was started. */
import type { Text } from "./io.ts";

/** A command of ours in a text: at the start of a line or a word, or in backticks. */
const COMMAND = /(^|[\s`])stagedoor(?= [a-z-])/gm;

/**
 * @param prefix what starts a command here, such as `npm start --`; undefined: `stagedoor`.
 * @returns a function that gives a text with its commands as they can be typed.
 */
export const namingCommands = (prefix: string | undefined): (<T extends Text>(text: T) => Text) => {
  const named = (text: Text): Text => {
    if (typeof text === "string") return text.replace(COMMAND, `$1${prefix}`);
    if ("style" in text) return { ...text, text: text.text.replace(COMMAND, `$1${prefix}`) };
    return text.map(named);
  };
  return prefix === undefined ? (text) => text : named;
};
