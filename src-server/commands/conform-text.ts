/** The output of `stagedoor conform`. */
import { type Conformity, type Drift, NEVER_OBSERVED, PROBES } from "#conform/conform.ts";
import type { Row, SettingValue } from "#conform/observation.ts";
import { printable, type Text } from "./io.ts";

const GREEN = 32;
const YELLOW = 33;
const DIM = 2;
const WIDE = 28;

const shown = (value: SettingValue): string =>
  Array.isArray(value) ? (value.length === 0 ? "none" : value.join(", ")) : String(value);

const foundIn = ({ setting, verdict, observed, note }: Row): Text => {
  const [value, why] = [shown(observed ?? ""), printable(note ?? "")];
  return {
    default: { text: `as Stagedoor does${setting === null ? "" : `: ${value}`}`, style: GREEN },
    differs: { text: `differs: ${value}`, style: YELLOW },
    noSetting: { text: `differs, no setting: ${why}`, style: YELLOW },
    notObservable: { text: `not observed: ${why}`, style: DIM },
  }[verdict];
};

/** @returns one row, including a newline. */
export const rowText = (row: Row): Text => [
  `${row.decision.padEnd(4)} ${(row.setting ?? row.question).padEnd(WIDE)} `,
  foundIn(row),
  "\n",
];

const countOf = (rows: readonly Row[], verdict: Row["verdict"]): number =>
  rows.filter((row) => row.verdict === verdict).length;

/** @returns the text after the rows. */
export const summaryText = ({ rows }: Conformity, out: string | undefined): Text => {
  const differing = countOf(rows, "differs");
  const counts = [
    `${countOf(rows, "default")} as Stagedoor does`,
    `${differing} differ with a setting that follows`,
    `${countOf(rows, "noSetting")} differ without one`,
    `${countOf(rows, "notObservable")} not observed`,
  ];
  const hint = differing > 0 && out === undefined ? "Write the settings to a file with --out settings.json.\n" : "";
  return `\n${counts.join(", ")}.\n${hint}`;
};

/** @returns why a run stopped, and what it left behind, in lines. */
export const stoppedText = ({ stopped, left }: Conformity): string => {
  const why = stopped === null ? [] : [stopped, "The rest was not asked, and no settings were written."];
  const rest =
    left.length === 0
      ? ["Every profile that this run created is deleted."]
      : ["Delete by hand, or run the command again:", ...left.map((what) => `  ${what}`)];
  return [...why, ...rest].map(printable).join("\n");
};

/** @returns the differences between the service and the expectation. */
export const driftText = (drift: readonly Drift[]): Text =>
  drift.length === 0
    ? "The service is as expected.\n"
    : drift.map(({ decision, setting, expected, observed }) => [
        { text: "drift", style: YELLOW },
        `  ${decision} ${setting}: expected ${shown(expected)}, observed ${printable(shown(observed))}\n`,
      ]);

/** @returns the questions of a run. */
export const planText = (): Text => [
  "This is what a run asks. It makes at most 30 profiles named “stagedoor-conform …” and deletes them at the end.\n\n",
  ...PROBES.map(
    ({ decision, setting, question }) => `${decision.padEnd(4)} ${(setting ?? "").padEnd(WIDE)} ${question}\n`,
  ),
  "\nNever observed:\n",
  ...NEVER_OBSERVED.map(({ decision, question, note }) => `${decision.padEnd(4)} ${question} ${note}\n`),
];
