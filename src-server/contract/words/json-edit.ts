/** Changes a JSON text and keeps the rest of it as people formatted it. */
import { applyEdits, type FormattingOptions, findNodeAtLocation, type JSONPath, modify, parseTree } from "jsonc-parser";

/** @returns how the lines of a text are indented and ended; undefined: it is one line. */
const formattingOf = (text: string): FormattingOptions | undefined => {
  const [, eol, indent] = /(\r?\n)([ \t]+)\S/.exec(text) ?? [];
  if (eol === undefined || indent === undefined) return undefined;
  return { eol, insertSpaces: !indent.includes("\t"), tabSize: indent.includes("\t") ? 1 : indent.length };
};

/** @returns whether there is an object at the path with entries that are all in one line. */
const isInLine = (text: string, path: JSONPath): boolean => {
  const tree = parseTree(text);
  const node = tree === undefined ? undefined : findNodeAtLocation(tree, path);
  if (node?.children === undefined || node.children.length === 0) return false;
  return !text.slice(node.offset, node.offset + node.length).includes("\n");
};

/** @param text valid JSON. @returns it with a value at the path, the last of its object, formatted like its neighbours. */
export const jsonWith = (text: string, path: JSONPath, value: string): string => {
  const formattingOptions = isInLine(text, path.slice(0, -1)) ? undefined : formattingOf(text);
  if (formattingOptions !== undefined) return applyEdits(text, modify(text, path, value, { formattingOptions }));
  const edits = modify(text, path, value, {});
  return applyEdits(
    text,
    edits.map((edit) => ({ ...edit, content: edit.content.replace(/^,/, ", ") })),
  );
};
