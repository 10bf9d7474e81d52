/** Two logins side by side: their steps in pairs, and what differs. */
import type { App, Fault, RequestRow } from "#client/index.ts";
import { lostWords } from "#contract/control/refusals.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { markdownText } from "#contract/words/markdown.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { lowered, UUID } from "../../ui/words.ts";
import { effectWords } from "../faults/fault-words.ts";
import { type Story, type StoryStep, stepsOf } from "../requests/stories.ts";
import { stateWords } from "../sessions/session-words.ts";

/** A login, and the apps with the settings and the faults that it met. */
export interface LoginSide {
  readonly story: Story;
  readonly apps: readonly Pick<App, "appId" | "settings">[];
  readonly faults: readonly Pick<Fault, "id" | "effect">[];
}

/** Something that has another value in each login; `absent` where it has none. */
export interface Difference {
  readonly what: string;
  readonly left: string;
  readonly right: string;
}

/** A step of each login, or of one of them. */
interface StepPair {
  readonly left: StoryStep | undefined;
  readonly right: StoryStep | undefined;
  /** Whether the logins have another result here. */
  readonly parts: boolean;
  readonly differences: readonly Difference[];
}

/** What holds for a login as a whole. */
interface ComparedPart {
  readonly title: string;
  readonly differences: readonly Difference[];
}

/** @see compareLogins */
export interface Comparison {
  readonly pairs: readonly StepPair[];
  readonly parts: readonly ComparedPart[];
}

type Values = ReadonlyMap<string, string>;

const MOST_VALUES = 300;
/** @returns the values in JSON by their path. */
const flat = (value: unknown, path = "", found = new Map<string, string>()): Values => {
  if (found.size >= MOST_VALUES) return found;
  if (isObject(value) || Array.isArray(value))
    for (const [key, inner] of Object.entries(value)) flat(inner, path === "" ? key : `${path}.${key}`, found);
  else found.set(path, typeof value === "string" ? value : JSON.stringify(value));
  return found;
};

const MOST_SHOWN = 80;
const shortened = (text: string): string => (text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text);

const differing = (
  area: string,
  left: Values,
  right: Values,
  isNoise: (name: string, l: string, r: string) => boolean,
) =>
  [...new Set([...left.keys(), ...right.keys()])].flatMap((name): Difference[] => {
    const pair = {
      what: `${area} ${name}`.trim(),
      left: left.get(name) ?? "absent",
      right: right.get(name) ?? "absent",
    };
    if (pair.left === pair.right || isNoise(name, pair.left, pair.right)) return [];
    return [{ ...pair, left: shortened(pair.left), right: shortened(pair.right) }];
  });

/** Headers of the connection, those that differ in any two requests, and those of clock and faults, which have their own part. */
const OF_ANY =
  /^(?:connection|content-length|date|etag|host|keep-alive|emulator-(?:clock-offset|fault|request-id)|if-none-match)$/i;
const headersOf = ({ headers }: RequestRow["request"]): Values =>
  new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));

/** Ids, times and tokens: another in each login. */
const VOLATILE = [UUID, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/, /^\d{9,13}$/, /^eyJ/];
const isVolatile = (left: string, right: string): boolean =>
  VOLATILE.some((pattern) => pattern.test(left) && pattern.test(right));

const LONG_MS = 100;
const secondsWords = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;
/** @returns two durations, if one is much longer. */
const timesOf = (what: string, left: number, right: number, least: number): Difference[] =>
  Math.abs(left - right) < least || Math.max(left, right) < 2 * Math.min(left, right)
    ? []
    : [{ what, left: secondsWords(left), right: secondsWords(right) }];

/** A step, and how long after the login's first one it was, in ms. */
type Timed = readonly [step: StoryStep, afterMs: number];

const faultWords = ({ fault }: RequestRow, { faults }: LoginSide): string => {
  const effect = faults.find(({ id }) => id === fault)?.effect;
  return effect === undefined ? "turned off since" : lowered(effectWords(effect));
};

type Sides = readonly [LoginSide, LoginSide];

const differencesOf = ([left, leftMs]: Timed, [right, rightMs]: Timed, of: Sides): Difference[] => {
  const [l, r] = [left.row, right.row];
  if (l === undefined || r === undefined) return [];
  const isOwn = (_name: string, a: string, b: string): boolean =>
    (a === of[0].story.to && b === of[1].story.to) || (a === left.typed && b === right.typed);
  const bodies = (area: "request" | "response", isNoise: typeof isOwn) =>
    differing(`${area} body`, flat(parsedJson(l[area].body)), flat(parsedJson(r[area].body)), isNoise);
  const headers = (area: "request" | "response") =>
    differing(`${area} header`, headersOf(l[area]), headersOf(r[area]), (name) => OF_ANY.test(name));
  const facts = (row: RequestRow): Values => {
    const { status, scheme, path, repeats } = row;
    const words = lostWords(row);
    const lost = words === "" ? {} : { "carried out": words };
    const again = repeats === null ? {} : { repeats: "an earlier request" };
    return new Map(Object.entries({ status: String(status), scheme, path, ...lost, ...again }));
  };
  return [
    ...differing("", facts(l), facts(r), () => false),
    ...timesOf("time since the first step", leftMs, rightMs, 1_000),
    ...timesOf("duration", l.durationMs, r.durationMs, LONG_MS),
    ...headers("request"),
    ...bodies("request", isOwn),
    ...headers("response"),
    ...bodies("response", (_name, a, b) => isVolatile(a, b)),
  ];
};

/** @returns the indexes of the steps that both logins have, in order: a longest common subsequence of their titles. */
const commonOf = (left: readonly StoryStep[], right: readonly StoryStep[]): (readonly [number, number])[] => {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const at = (i: number, j: number): number => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i--)
    for (let j = right.length - 1; j >= 0; j--) {
      const row = lengths[i];
      const same = left[i]?.title === right[j]?.title;
      if (row !== undefined) row[j] = same ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const found: [number, number][] = [];
  for (let i = 0, j = 0; i < left.length && j < right.length; )
    if (left[i]?.title === right[j]?.title) found.push([i++, j++]);
    else if (at(i + 1, j) >= at(i, j + 1)) i++;
    else j++;
  return found;
};

const timed = (steps: readonly StoryStep[]): Timed[] => {
  const first = Date.parse(steps[0]?.at ?? "");
  return steps.map((step) => [step, Date.parse(step.at ?? "") - first || 0]);
};

const unique = (words: readonly string[], between: string): string => [...new Set(words)].join(between);

const clockOf = ({ story }: LoginSide): Values => {
  const offsets = story.rows.map(({ response }) => headersOf(response).get("emulator-clock-offset") ?? "0");
  return new Map([
    [
      "",
      unique(
        offsets.map((seconds) => stateWords({ offsetSeconds: Number(seconds), frozenAt: null })),
        ", then ",
      ),
    ],
  ]);
};

const faultsOf = (side: LoginSide): Values => {
  const met = side.story.rows.flatMap((row) =>
    row.fault === null ? [] : [[faultWords(row, side), row.method] as const],
  );
  const methodsOf = (words: string) => met.flatMap(([one, method]) => (one === words ? [method] : []));
  return new Map(met.map(([words]) => [words, `used by ${unique(methodsOf(words), ", ")}`]));
};

const settingsOf = ({ story, apps }: LoginSide): Values =>
  flat(effectiveSettings(apps.find(({ appId }) => appId === story.appId)?.settings ?? {}));

const PARTS = [
  ["Settings", "setting", settingsOf],
  ["Clock", "clock", clockOf],
  ["Faults", "fault", faultsOf],
] as const;

/** @returns the steps of two logins in pairs, with what differs in them; and in their settings, clocks and faults. */
export const compareLogins = (a: LoginSide, b: LoginSide): Comparison => {
  const [left, right] = [timed(stepsOf(a.story)), timed(stepsOf(b.story))];
  const pairs: StepPair[] = [];
  const add = (l: Timed | undefined, r: Timed | undefined): void => {
    const both = l !== undefined && r !== undefined;
    const parts = l?.[0].result !== r?.[0].result;
    const differences = both ? differencesOf(l, r, [a, b]) : [];
    pairs.push({ left: l?.[0], right: r?.[0], parts, differences });
  };
  let [i, j] = [0, 0];
  const common = commonOf(
    left.map(([step]) => step),
    right.map(([step]) => step),
  );
  for (const [nextLeft, nextRight] of [...common, [left.length, right.length]] as const) {
    while (i < nextLeft) add(left[i++], undefined);
    while (j < nextRight) add(undefined, right[j++]);
    if (i < left.length && j < right.length) add(left[i++], right[j++]);
  }
  const parts = PARTS.map(([title, what, valuesOf]) => ({
    title,
    differences: differing(what, valuesOf(a), valuesOf(b), () => false),
  }));
  return { pairs, parts };
};

const stepWords = (step: StoryStep | undefined): string =>
  step === undefined ? "nothing" : [step.title, step.typed, step.result].filter(Boolean).join(" ");

/** @returns the pair in which two logins first have another result, in words; null: they end alike. */
export const partingWords = ({ pairs }: Comparison): string | null => {
  const at = pairs.findIndex(({ parts }) => parts);
  const pair = pairs[at];
  return pair === undefined ? null : `step ${at + 1}: ${stepWords(pair.left)} / ${stepWords(pair.right)}`;
};

/** @param names of the two logins. @returns the comparison as a Markdown table, for a ticket. */
export const comparisonMarkdown = (comparison: Comparison, names: readonly [string, string]): string => {
  /** @param cells all but the first are text; the first is Markdown. */
  const row = (first: string, ...cells: readonly string[]): string =>
    `| ${[first, ...cells.map(markdownText)].join(" | ")} |`;
  const ofDifference = ({ what, left, right }: Difference): string => row(markdownText(what), left, right);
  const ofPair = ({ left, right, parts, differences }: StepPair, index: number): string[] => [
    row(parts ? `**${index + 1}**` : String(index + 1), stepWords(left), stepWords(right)),
    ...differences.map(ofDifference),
  ];
  const head = [row("", ...names), "| --- | --- | --- |"];
  const ofPart = ({ title, differences }: ComparedPart): string[] =>
    differences.length === 0
      ? [`${title}: no difference.`, ""]
      : [`${title}:`, "", ...head, ...differences.map(ofDifference), ""];
  const parting = partingWords(comparison);
  return [
    parting === null ? "Same steps, same outcome." : `First difference: ${markdownText(parting)}.`,
    "",
    ...head,
    ...comparison.pairs.flatMap(ofPair),
    "",
    ...comparison.parts.flatMap(ofPart),
  ].join("\n");
};
