/** Texts that stand for a value which was never filled in. Without zod, as the console's first view reads it. */

/** What languages write for nothing, or for an object that was turned into text. */
const NOTHING =
  /^(?:undefined|null|nil|none|nan|nul|void|\(null\)|<nil>|<null>|<undefined>|%!s\(<nil>\)|\[object \w+\]|object object|true|false)$/i;
/** A variable of a shell, a template, Postman, Swift, JavaScript, Python, Android or a path. */
const VARIABLE: readonly RegExp[] = [
  /^\{\{.*\}\}$/s,
  /^[$#@]\{.*\}$/s,
  /^\$[A-Za-z_]\w*$/,
  /^\$\(\w+\)$/,
  /^%[A-Za-z_]\w*%$/,
  /^%(?:\d\$)?[sd@]$/,
  /^\{\w*\}$/,
  /^\\\(\w[\w.]*\)$/,
  /^:[A-Za-z]\w*$/,
  /^<[A-Za-z][\w .-]*>$/,
  /^\[[A-Z][A-Z _-]+\]$/,
  /^__\w+__$/,
  /^@string\/\w+$/,
  /^(?:process\.env|import\.meta\.env|os\.environ|ENV|BuildConfig|Bundle\.main)\b.*$/s,
  // A name such as `my-app` is an app's id as well as any other.
  /^(?:YOUR|MY)_[A-Z][A-Z_]*$/,
  /^(?:your|my) [a-z][\w -]*$/i,
  /^(?:x{3,}|\.{3}|…|changeme|change-me|replace[_-]?me)$/i,
];

/** Longer texts are values. */
const MOST = 200;

/** @param text as a client sent it. @returns what stands for a value in it, such as `undefined` or `{{appId}}`; undefined: a value. */
export const placeholderIn = (text: string): string | undefined => {
  if (text.length > MOST) return undefined;
  const bare = text.trim();
  const isQuoted = bare.length > 1 && /^["']/.test(bare) && bare.endsWith(bare[0] ?? "");
  const trimmed = isQuoted ? bare.slice(1, -1) : bare;
  return NOTHING.test(trimmed) || VARIABLE.some((pattern) => pattern.test(trimmed)) ? trimmed : undefined;
};

const WITHIN = /undefined|null|\[object \w+\]|\{\{[^{}]*\}\}|[$#]\{[^{}]*\}|\bNaN\b|\bnil\b|%[sd@](?![0-9a-f])/i;

/** @returns the first such text within another, as in `+1undefined`. */
export const placeholderWithin = (text: string): string | undefined =>
  placeholderIn(text) ?? WITHIN.exec(text.slice(0, 400))?.[0];
