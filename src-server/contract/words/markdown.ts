/** Text in Markdown that others read, such as a ticket's. */

/**
 * @returns the text in one line, as it is shown: nothing in it is markup, HTML or the end of a table's cell. Names with
 * `_` within a word stay readable as they are.
 */
export const markdownText = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\\`*[\]<>|~&]/g, "\\$&")
    .replaceAll(/(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g, "\\_");
