/**
 * Habits that make English read like a translation, each with what to write instead, and where one stays on purpose. Data
 * for patterns.test.ts, which reads the handwritten pages and the texts of the program.
 */

/** A place where a pattern stays on purpose. */
interface Kept {
  /** A page or a source file, relative to the checkout. */
  readonly page: string;
  /** What stands there, with the match in it. */
  readonly text: string;
  readonly why: string;
}

const VERDICT = "`refused` is the name of the verdict";
const checked = (page: string, text: string): Kept => ({
  page: `src-server/features/keys/token-check/${page}`,
  text,
  why: VERDICT,
});

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
  {
    habit: "so, for like that",
    find: /\b(?:begins?|do|does|say|says|said|act|sign up) so\b/gi,
    write: "this way",
    kept: [
      {
        page: "src-renderer/places/setup/platforms.tsx",
        text: "configuration says so",
        why: "a configuration that says it",
      },
    ],
  },
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
    kept: [
      { page: "docs/internals/reliability.md", text: "one more for each 64 bytes", why: QUOTED },
      { page: "src-server/contract/bounds.ts", text: "one more for each 64 bytes", why: "one of what is counted" },
    ],
  },
  {
    habit: "met, for happened",
    find: /\b(?:met|meets?)\b/gi,
    write: "covered; hit; use",
    kept: [{ page: "src-renderer/places/requests/coverage-screen.tsx", text: "Not met", why: "the API's word" }],
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
    kept: [{ page: "src-server/contract/service/problems.ts", text: "Gone", why: "the name of status 410" }],
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
      {
        page: "src-server/features/failures/coverage/contract/outcomes.ts",
        text: "Answer lost",
        why: "the name of an outcome",
      },
      { page: "src-renderer/shared/login/standing.ts", text: "Answer lost", why: "the name of an outcome" },
      { page: "src-renderer/shared/fault/fault-presets.ts", text: "Lose the answer", why: "the name of a preset" },
      { page: "src-programs/explore/report.ts", text: "docs/lost-answers.md", why: "the name of a page" },
      {
        page: "src-renderer/shared/login/stories.ts",
        text: "carried out; the answer was lost",
        why: "the API's words of the film",
      },
      { page: "src-renderer/places/setup/platforms.tsx", text: "To change the answer", why: "a user's answer" },
    ],
  },
  {
    habit: "the emulator",
    find: /\b(?:the|an|one|running|several) emulators?\b/gi,
    write: "Stagedoor; next to Android emulators, “the emulator” is ambiguous",
    kept: [
      { page: "docs/recipes/espresso.md", text: "On an emulator,", why: "an Android emulator, as opposed to a phone" },
      {
        page: "src-renderer/places/setup/platforms.tsx",
        text: "If calls from an emulator to 10.0.2.2 time out, the emulator needs it too",
        why: "an Android emulator",
      },
      {
        page: "src-renderer/shared/network/targets.ts",
        text: "The emulator’s address for this machine",
        why: "an Android emulator",
      },
      {
        page: "src-server/contract/control/clients.ts",
        text: "The Emulator-Reason header",
        why: "the name of a header",
      },
      {
        page: "src-server/contract/control/requests.ts",
        text: "The Emulator-Reason header",
        why: "the name of a header",
      },
      {
        page: "src-server/contract/service/passcodes.ts",
        text: "The serial of an emulator",
        why: "an Android emulator",
      },
      {
        page: "src-server/features/devices/delivery/android.ts",
        text: "The emulator's console",
        why: "an Android emulator",
      },
      {
        page: "src-server/features/devices/delivery/android.ts",
        text: "an emulator's console",
        why: "an Android emulator",
      },
    ],
  },
  {
    habit: "ending of a login",
    find: /\bendings?\b/gi,
    write: "outcome",
    kept: [
      { page: "docs/fidelity.md", text: "reading and ending a session", why: "a session does end" },
      {
        page: "src-server/contract/service/decisions.ts",
        text: "reading and ending a session",
        why: "a session does end",
      },
    ],
  },
  {
    habit: "typed, tried",
    find: /\b(?<!The )(?:types?|typed|typing) (?:a|the|an|it|wrong)\b|\b(?:wrong|right) (?:try|tries)\b/gi,
    write: "enter; attempt",
    kept: [{ page: "src-programs/conform/command.ts", text: "Type the host", why: "it is typed into a terminal" }],
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
    kept: [
      { page: "docs/tokens.md", text: "must be refused", why: QUOTED },
      { page: "src-server/plumbing/emulator.ts", text: "connection refused", why: "the system's words" },
      { page: "src-server/contract/service/fidelity-settings.ts", text: "refuse: a field", why: "the name of a value" },
      { page: "src-server/contract/service/settings.ts", text: "refused: a passcode", why: "the name of a value" },
      {
        page: "src-server/contract/words/refused-ports.ts",
        text: "browsers and fetch refuse to call port",
        why: "browsers do refuse",
      },
      checked("command.ts", "must be refused"),
      checked("command.ts", "no clear refusal"),
      checked("command.ts", "was refused"),
      checked("contract/token-check.ts", "a refused token"),
      checked("contract/token-check.ts", "must be refused"),
      checked("contract/token-check.ts", "refused: 401, 403"),
      checked("contract/words.ts", "must refuse"),
      checked("contract/words.ts", "refuses"),
    ],
  },
  {
    habit: "directory",
    find: /\bdirector(?:y|ies)\b/gi,
    write: "folder",
    kept: [
      { page: "docs/from-another-tool.md", text: "the Directory API", why: "the name of Google's API" },
      { page: "src-server/cli.ts", text: "The working directory", why: "the system's word" },
    ],
  },
  {
    habit: "the window",
    find: /\bthe (?:window|UI|dashboard)\b/gi,
    write: "the console",
  },
  { habit: "guests", find: /\bguests\b|\bthe room\b/gi, write: "the audience" },
  {
    habit: "American spelling",
    find: /\b(?:colors?|behaviors?|favorites?|licens(?:e|es)|(?:capital|random|recogn|initial|serial|organ)iz\w*)\b/gi,
    write: "British: colour, behaviour, licence, recognise; `color` is the name of a setting",
    kept: [
      { page: "src-server/contract/service/settings.ts", text: "color", why: "`color` is the name of the setting" },
      { page: "src-server/people/lists.ts", text: "organizations", why: "a key in the exports of other tools" },
    ],
  },
];
