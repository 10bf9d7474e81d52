/** `stagedoor coverage`: which outcomes of a login were met, here or in files of earlier runs. */
import { z } from "zod";
import type { Coverage } from "#client/records.ts";
import { readJson } from "#contract/words/json-text.ts";
import { bytesOf, fileText } from "#server/fixtures/file-text.ts";
import type { Closing } from "#server/plumbing/define.ts";
import { type ClientOptions, withEmulator } from "#server/plumbing/emulator.ts";
import { CommandError, type Io, print, wrongUsage } from "#server/plumbing/io.ts";
import { wholeNumber } from "#server/plumbing/options.ts";
import { tryWhole, writeWhole } from "#server/plumbing/write-whole.ts";
import { coverageAnswer } from "./contract/coverage.ts";
import { coverageMarkdown, coverageSummary } from "./contract/words.ts";
import { coverageJunit, coverageLines, missingLines, percentMet, sumOf } from "./text.ts";

/** @see coverage. `junit`: a file to write; `failUnder`: the percentage that is required. */
export interface CoverageOptions extends ClientOptions {
  readonly markdown?: boolean | undefined;
  readonly junit?: string | undefined;
  readonly failUnder?: string | undefined;
}

/** @returns the saved coverage of a run. @throws CommandError */
const readCoverage = (file: string): Coverage => {
  const bytes = bytesOf(file);
  if (typeof bytes === "string") throw new CommandError(`${file}: ${bytes}`);
  const { text, error } = fileText(bytes);
  const read = error === undefined ? readJson(text) : undefined;
  const checked = read !== undefined && "value" in read ? coverageAnswer.safeParse(read.value) : undefined;
  if (checked?.success) return checked.data;
  throw new CommandError(
    `${file} is not a login coverage file. Write one with \`stagedoor coverage --json\` or \`exec --coverage-out\`.`,
  );
};

/** Prints on stderr what is missing. @param least the percentage that is required. @returns 0, or 1 if it is not reached. */
const judged = (io: Io, all: Coverage, least: number | undefined): number => {
  if (least === undefined || percentMet(all) >= least) return 0;
  io.err(`Only ${coverageSummary(all)} (${percentMet(all)} %, required: ${least} %). Not covered:`);
  for (const line of missingLines(all)) io.err(line);
  return 1;
};

/** Prints login coverage. @returns 0; 1 if less was met than `failUnder` requires. @throws CommandError */
export const coverage = async (io: Io, files: readonly string[], options: CoverageOptions): Promise<number> => {
  const { app: appId, json, markdown, junit, failUnder, ...where } = options;
  if (json === true && markdown === true) throw wrongUsage("Use either --json or --markdown, not both.");
  if (files.length > 0 && appId !== undefined) throw wrongUsage("--app is for a running Stagedoor, not for files.");
  const least = wholeNumber(failUnder, "--fail-under", 0, 100);
  const [first, ...others] = files.map(readCoverage);
  const all =
    first === undefined
      ? await withEmulator(where, (client) => client.coverage.get({ ...(appId && { appId }) }))
      : sumOf([first, ...others]);
  if (junit !== undefined) await writeWhole(junit, coverageJunit(all, least));
  print(io, json, all, markdown === true ? coverageMarkdown(all) : coverageLines(all));
  return judged(io, all, least);
};

const execOptions = z.object({
  coverage: z.union([z.literal(true), z.string()]).optional(),
  coverageOut: z.string().optional(),
  junit: z.string().optional(),
});

/** What `exec` does with `--coverage`, `--coverage-out` and `--junit`, after its command. @throws CommandError */
export const covering = async (given: Readonly<Record<string, unknown>>): Promise<Closing> => {
  const { coverage: wanted, coverageOut: file, junit } = execOptions.parse(given);
  for (const path of [file, junit]) if (path !== undefined) await tryWhole(path);
  const least = typeof wanted === "string" ? wholeNumber(wanted, "--coverage", 0, 100) : undefined;
  return async ({ urls }, io) => {
    const all = await withEmulator({ url: urls.console }, (client) => client.coverage.get());
    if (wanted !== undefined) for (const line of coverageLines(all)) io.err(line);
    if (file !== undefined) await writeWhole(file, `${JSON.stringify(all)}\n`);
    if (junit !== undefined) await writeWhole(junit, coverageJunit(all, least));
    return judged(io, all, least);
  };
};
