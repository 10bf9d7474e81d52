/** The output of `stagedoor conform`. */

import { z } from "zod";
import { settings } from "#contract/service/settings.ts";
import { printable, type Text } from "#server/plumbing/io.ts";
import { type Conformity, type Drift, NEVER_OBSERVED, PROBES } from "./measure/conform.ts";
import type { MeasuredRow, SettingValue } from "./measure/observation.ts";

const GREEN = 32;
const YELLOW = 33;
const DIM = 2;
const WIDE = 28;

const settingText = (value: SettingValue): string =>
  Array.isArray(value) ? (value.length === 0 ? "none" : value.join(", ")) : String(value);

/** @returns the label of a setting, as in the console. */
const titleOf = (path: string): string | undefined => {
  const found = path.split(".").reduce<z.core.$ZodType | undefined>((schema, key) => {
    const inner = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema;
    return inner instanceof z.ZodObject ? inner.shape[key] : undefined;
  }, settings);
  return found === undefined ? undefined : z.globalRegistry.get(found)?.title;
};

const foundIn = ({ setting, verdict, observed, byDefault, note }: MeasuredRow): Text => {
  const value = settingText(observed ?? "");
  const ours = settingText(byDefault);
  const why = printable(note ?? "");
  const stagedoor = setting === null ? "Stagedoor does otherwise" : `Stagedoor ${ours}`;
  return {
    default: { text: setting === null ? "as Stagedoor does" : `${value}, as Stagedoor does`, style: GREEN },
    differs: { text: `this service ${value}, Stagedoor ${ours} → \`${setting}\``, style: YELLOW },
    noSetting: { text: `this service: ${why}; ${stagedoor}; differs, no setting`, style: YELLOW },
    notObservable: { text: `not observed: ${why}`, style: DIM },
  }[verdict];
};

/** @returns one row, including a newline. */
export const rowText = (row: MeasuredRow): Text => [
  `${titleOf(row.setting ?? "") ?? row.question.replace(/\?$/, "")}: `,
  foundIn(row),
  { text: `  ${row.decision}\n`, style: DIM },
];

const countOf = (rows: readonly MeasuredRow[], verdict: MeasuredRow["verdict"]): number =>
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
  const todo =
    out === undefined
      ? "Write the settings to a file with --out settings.json."
      : `${printable(out)} has the settings: put them under "settings" of your app in a fixture file, or PATCH the app.`;
  return `\n${counts.join(", ")}.\n${differing === 0 ? "" : `${todo}\n`}`;
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
        `  ${decision} ${setting}: expected ${settingText(expected)}, observed ${printable(settingText(observed))}\n`,
      ]);

/** @returns the questions of a run. */
export const planText = (): Text => [
  "A run asks the following. It creates at most 30 profiles named “stagedoor-conform …” and deletes them at the end.\n\n",
  ...PROBES.map(
    ({ decision, setting, question }) => `${decision.padEnd(4)} ${(setting ?? "").padEnd(WIDE)} ${question}\n`,
  ),
  "\nNever observed:\n",
  ...NEVER_OBSERVED.map(({ decision, question, note }) => `${decision.padEnd(4)} ${question} ${note}\n`),
];
