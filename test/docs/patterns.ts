/**
 * Habits that make English read like a translation, each with what to write instead, and where one stays on purpose. Data
 * for patterns.test.ts, which reads the handwritten pages. Texts inside the program can join by another caller.
 */

/** A place where a pattern stays on purpose. */
interface Kept {
  /** Relative to the checkout. */
  readonly page: string;
  /** What stands there, with the match in it. */
  readonly text: string;
  readonly why: string;
}

export interface Pattern {
  readonly habit: string;
  readonly find: RegExp;
  readonly write: string;
  readonly kept?: readonly Kept[];
}

/** Why a text stays that is not the page's. It goes without a word when the program changes it. */
export const QUOTED = "quotes a text of the program";

/** Habits first, then one word for one thing, then spelling. */
export const PATTERNS: readonly Pattern[] = [
  { habit: "so, for like that", find: /\b(?:begins?|do|does|say|says|said|act|sign up) so\b/gi, write: "this way" },
  { habit: "alone, for only", find: /\balone\b/gi, write: "only, before the verb or noun" },
  {
    habit: "nobody, somebody",
    find: /\b(?:no|some|any|every)body\b/gi,
    write: "no one; better the role: user, process, client",
  },
  {
    habit: "of its own",
    find: /\bof (?:its|their|your|his|her|one's|the (?:app|test)'s) own\b/gi,
    write: "its own X; a separate X; a temporary X",
  },
  {
    habit: "the others",
    find: /\bthe others\b|\b(?:emulator|one|process) more\b/gi,
    write: "the rest; another",
    kept: [{ page: "docs/internals/reliability.md", text: "one more for each 64 bytes", why: QUOTED }],
  },
  {
    habit: "met, for happened",
    find: /\b(?:met|meets?)\b/gi,
    write: "covered; hit; use",
  },
  {
    habit: "a thing that says",
    find: /\b(?:start|macOS|Windows|Linux|band|plan|page|command|console|table|log) (?:then )?says\b/gi,
    write: "prints, shows, reports, warns",
  },
  {
    habit: "old words",
    find: /\bbeside\b|\bin (?:the )?place of\b|\banew\b|\bfor ever\b|\bin between\b/gi,
    write: "next to; instead of; from scratch; permanently",
  },
  { habit: "meanwhile", find: /\bmeanwhile\b/gi, write: "in the meantime; usually nothing" },
  {
    habit: "gone",
    find: /\bgone\b/gi,
    write: "deleted; not found",
  },
  {
    habit: "that is no X",
    find: /\b(?:that|which) (?:is|are|was) (?:no|none)\b(?! longer)/gi,
    write: "that is not a X",
  },
  {
    habit: "answer",
    find: /\banswers?\b/gi,
    write: "response; responds",
    kept: [
      { page: "docs/internals/parts.md", text: "each folder answers one question", why: "a question, not a request" },
    ],
  },
  {
    habit: "the emulator",
    find: /\b(?:the|an|one|running|several) emulators?\b/gi,
    write: "Stagedoor; next to Android emulators, “the emulator” is ambiguous",
    kept: [
      { page: "docs/recipes/espresso.md", text: "On an emulator,", why: "an Android emulator, as opposed to a phone" },
    ],
  },
  {
    habit: "ending of a login",
    find: /\bendings?\b/gi,
    write: "outcome",
    kept: [{ page: "docs/fidelity.md", text: "reading and ending a session", why: "a session does end" }],
  },
  {
    habit: "typed, tried",
    find: /\b(?<!The )(?:types?|typed|typing) (?:a|the|an|it|wrong)\b|\b(?:wrong|right) (?:try|tries)\b/gi,
    write: "enter; attempt",
  },
  {
    habit: "ask for a code",
    find: /\bask(?:s|ed|ing)? for (?:a|the|another) (?:code|passcode)\b/gi,
    write: "request a code",
  },
  { habit: "right code", find: /\b(?:right|good) (?:code|passcode|token)s?\b/gi, write: "correct code; valid token" },
  { habit: "wrong token", find: /\bwrong tokens?\b/gi, write: "invalid token" },
  {
    habit: "refused",
    find: /\brefus(?:e|es|ed|al|als)\b/gi,
    write: "rejected",
    kept: [{ page: "docs/tokens.md", text: "must be refused", why: QUOTED }],
  },
  {
    habit: "directory",
    find: /\bdirector(?:y|ies)\b/gi,
    write: "folder",
    kept: [{ page: "docs/from-another-tool.md", text: "the Directory API", why: "the name of Google's API" }],
  },
  { habit: "the window", find: /\bthe (?:window|UI|dashboard)\b/gi, write: "the console", kept: [] },
  { habit: "guests", find: /\bguests\b|\bthe room\b/gi, write: "the audience" },
  {
    habit: "American spelling",
    find: /\b(?:colors?|behaviors?|favorites?|licens(?:e|es)|(?:capital|random|recogn|initial|serial|organ)iz\w*)\b/gi,
    write: "British: colour, behaviour, licence, recognise; `color` is the name of a setting",
  },
];
