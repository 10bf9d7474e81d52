/** Words of commands that are shown or run, as shells read them. */

/** @returns a text quoted for a POSIX shell: in single quotes only the quote itself is special. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/**
 * @param platform of Node, such as `win32`.
 * @returns the text as one word of a POSIX shell, or of cmd.exe, which requires backslashes before a quote twice.
 */
export const shellWord = (text: string, platform: string): string =>
  platform === "win32" ? `"${text.replace(/(?<!\\)\\+(?="|$)/g, "$&$&").replaceAll('"', '\\"')}"` : quoted(text);

/** Words that need no quotes in any shell. */
const PLAIN = /^[\w./:=@,+-]+$/;

/** @see shellWord @returns the text as one word, without quotes where it needs none. */
export const plainWord = (text: string, platform: string): string =>
  PLAIN.test(text) ? text : shellWord(text, platform);
