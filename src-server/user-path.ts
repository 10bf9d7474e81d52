/** Paths that users write in options, variables and the configuration file, where no shell reads them. */
import { join, resolve } from "node:path";
import { isJsonObject } from "#contract/scalars.ts";

/** What a shell would have replaced: `$HOME`, `${HOME}`, `$env:HOME`, `%HOME%`. */
const UNFILLED = /\$\{[^}]*\}|\$env:\w+|\$[A-Z_][A-Z0-9_]*|%[A-Z_][A-Z0-9_]*%/;

/** A path as it is meant, or what is wrong with it, to follow the name of its option. */
export type UserPath = { readonly path: string } | { readonly error: string };

/** @param home the home folder; empty if there is none. @returns the path, in which a leading `~` is that folder. */
export const userPath = (text: string, home: string): UserPath => {
  const [unfilled] = UNFILLED.exec(text) ?? [];
  if (unfilled !== undefined)
    return { error: `contains ${unfilled}, which only a shell replaces: write the path itself, or begin it with ~/` };
  if (!/^~(?:$|[/\\])/.test(text)) return { path: text };
  if (home === "") return { error: `begins with ~, and there is no home folder: write the whole path, not ${text}` };
  return { path: join(home, text.slice(1)) };
};

/** A value of an option, or what is wrong with it. */
type Read = { readonly value: unknown } | { readonly error: string };

/**
 * @param value a path, an object whose `file` is one, or a list of them; anything else is left as it is.
 * @param base of relative paths; absent: they stay relative. @returns it with paths as they are meant.
 */
export const userPaths = (value: unknown, home: string, base?: string): Read => {
  if (typeof value === "string") {
    const read = userPath(value, home);
    return "error" in read ? read : { value: base === undefined ? read.path : resolve(base, read.path) };
  }
  if (Array.isArray(value)) {
    const read = value.map((one: unknown) => userPaths(one, home, base));
    return read.find((one) => "error" in one) ?? { value: read.map((one) => ("value" in one ? one.value : undefined)) };
  }
  if (!isJsonObject(value) || typeof value["file"] !== "string") return { value };
  const file = userPaths(value["file"], home, base);
  return "error" in file ? file : { value: { ...value, file: file.value } };
};
