/**
 * A truncated or damaged journal: truncated at any byte it yields exactly the complete transactions, and
 * any changed bit, line or journal is detected, with nothing touched.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import type { JsonObject } from "#contract/scalars.ts";
import { Changes } from "#domain/decision.ts";
import { type DataDir, prepareDir } from "#store/disk/data-dir.ts";
import { type FileSystem, nodeFiles } from "#store/disk/files.ts";
import { StoreFailure } from "#store/failure.ts";
import { mendData, readData } from "#store/recovery/recovery.ts";
import { type Beginning, openStore } from "#store/store.ts";
import { hastyFiles } from "#test/store/faulty-files.ts";
import { beginning, contents, KEY, never } from "#test/store/records.ts";
import { collect, step } from "#test/store/steps.ts";
import type { Trial } from "./trial.ts";

/** A directory after a kill. */
export interface Killed {
  readonly dir: string;
  readonly journal: string;
  readonly bytes: Buffer;
  /** The state after the first `n` transactions, as JSON, for each `n`. */
  readonly worlds: readonly string[];
}

/** Creates a directory whose journal has this many random transactions. @param key the signing key. */
export const killedDir = async (trial: Trial, transactions: number, key: JsonObject = KEY): Promise<Killed> => {
  const dir = trial.newDir();
  const initial = async (): Promise<Beginning> => ({ ...(await beginning()), key });
  const store = await openStore({
    ...{ dir, durability: "process", initial, onNotice: () => undefined, later: never, files: hastyFiles },
  });
  const worlds = [JSON.stringify(contents(store.world))];
  for (const one of fc.sample(step, { seed: trial.chance.below(2 ** 31), numRuns: transactions * 20 })) {
    if (worlds.length > transactions) break;
    const before = store.world.seq;
    store.transact((world) => {
      const changes = new Changes(world);
      collect(world, one, changes);
      return changes.decided(null);
    });
    if (store.world.seq !== before) worlds.push(JSON.stringify(contents(store.world)));
  }
  // The store stays open, as if its process had died.
  const journal = path.join(dir, "journal-1.ndjson");
  return { dir, journal, bytes: readFileSync(journal), worlds };
};

/** A file system with the given journal that accepts repairs without making them. */
class Pretence {
  bytes: Buffer;
  /** What a start would have changed. */
  readonly touched: string[] = [];
  readonly files: FileSystem;

  constructor(journal: string, bytes: Buffer) {
    this.bytes = bytes;
    const touch = (what: string): void => void this.touched.push(what);
    this.files = {
      ...hastyFiles,
      read: (file) => (file === journal ? this.bytes : nodeFiles.read(file)),
      open: () => -1,
      openAtEnd: () => -1,
      openToRead: () => -1,
      close: () => undefined,
      create: (file) => {
        touch(`create ${path.basename(file)}`);
        return -1;
      },
      write: (_fd, _bytes, _offset, length) => length,
      truncate: (_fd, size) => touch(`truncate ${size}`),
      remove: (file) => touch(`remove ${path.basename(file)}`),
      rename: (_from, to) => touch(`rename ${path.basename(to)}`),
    };
  }

  /** @returns what a start finds, or why it refuses. */
  start(dir: DataDir): { readonly world: string; readonly notices: readonly string[] } | StoreFailure {
    this.touched.length = 0;
    const notices: string[] = [];
    const data = { ...dir, files: this.files };
    try {
      const found = readData(data);
      if (found !== undefined) mendData(data, found, (text) => notices.push(text));
      return { world: JSON.stringify(found === undefined ? null : contents(found.index)), notices };
    } catch (error) {
      if (error instanceof StoreFailure) return error;
      throw error;
    }
  }
}

/** @param transactions number in the journal; each of its bytes is a position. */
export const journalCuts =
  (transactions: number) =>
  async (trial: Trial): Promise<void> => {
    const { dir, journal, bytes, worlds } = await killedDir(trial, transactions);
    const data = prepareDir(nodeFiles, dir);
    const pretence = new Pretence(journal, bytes);
    let whole = -1;
    for (let size = 0; size <= bytes.length; size += 1) {
      if (bytes[size - 1] === 0x0a) whole += 1;
      pretence.bytes = bytes.subarray(0, size);
      const found = pretence.start(data);
      trial.count("positions");
      if (found instanceof StoreFailure) {
        trial.check(false, `cut at ${size}: refused: ${found.message}`);
        continue;
      }
      trial.check(
        found.world === worlds[Math.max(0, whole)],
        `cut at ${size}: not the world after ${whole} transactions`,
      );
      const isTorn = size === 0 || bytes[size - 1] !== 0x0a;
      const said = found.notices.length === 1 && found.notices[0]?.startsWith("recovered") === true;
      trial.check(
        isTorn ? said : found.notices.length === 0,
        `cut at ${size}: reported ${JSON.stringify(found.notices)}`,
      );
    }
  };

type Lines = readonly string[];

/** Damage to the lines of a journal. @returns the lines after it; undefined: unchanged. */
const tricks: Readonly<Record<string, (trial: Trial, lines: Lines, foreign: Lines) => Lines | undefined>> = {
  "two lines swapped": ({ chance }, lines) => {
    const [one, two] = [chance.below(lines.length), chance.below(lines.length)];
    return lines.map((line, at) => (at === one ? (lines[two] ?? "") : at === two ? (lines[one] ?? "") : line));
  },
  // Without its last line a journal equals its earlier state, which no reader can detect.
  "a line removed": ({ chance }, lines) => lines.toSpliced(chance.below(lines.length - 1), 1),
  "a line doubled": ({ chance }, lines) => {
    const at = chance.below(lines.length);
    return lines.toSpliced(at, 0, lines[at] ?? "");
  },
  "a line moved": ({ chance }, lines) => {
    const from = chance.below(lines.length);
    return lines.toSpliced(from, 1).toSpliced(chance.below(lines.length), 0, lines[from] ?? "");
  },
  "a line of another journal": ({ chance }, lines, foreign) =>
    lines.toSpliced(chance.below(lines.length), chance.below(2), chance.pick(foreign)),
  "all lines of another journal after some": ({ chance }, lines, foreign) => {
    const at = chance.between(1, Math.min(lines.length, foreign.length) - 1);
    return [...lines.slice(0, at), ...foreign.slice(at)];
  },
};

/** @param transactions number in the journal; each of its bits is flipped. @param rounds of each line damage. */
export const journalDamage =
  (transactions: number, rounds: number) =>
  async (trial: Trial): Promise<void> => {
    const { dir, journal, bytes } = await killedDir(trial, transactions);
    const data = prepareDir(nodeFiles, dir);
    const pretence = new Pretence(journal, Buffer.from(bytes));
    const seen = (what: string): void => {
      const found = pretence.start(data);
      trial.check(found instanceof StoreFailure && found.exitStatus === 3, `${what}: not detected`);
      trial.check(pretence.touched.length === 0, `${what}: would modify ${pretence.touched.join(", ")}`);
    };
    // The last newline is left out: without it the journal has a torn end, which is repaired and reported.
    for (let bit = 0; bit < (bytes.length - 1) * 8; bit += 1) {
      const at = bit >> 3;
      pretence.bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
      seen(`bit ${bit & 7} of byte ${at} flipped`);
      pretence.bytes[at] = bytes[at] ?? 0;
      trial.count("bits flipped");
    }
    const linesOf = (text: Buffer): string[] => text.toString("utf8").split("\n").slice(0, -1);
    const lines = linesOf(bytes);
    const foreign = linesOf((await killedDir(trial, transactions)).bytes).filter((line) => !lines.includes(line));
    for (const [name, trick] of Object.entries(tricks)) {
      for (let round = 0; round < rounds; round += 1) {
        const after = trick(trial, lines, foreign);
        if (after === undefined || after.join() === lines.join()) continue;
        pretence.bytes = Buffer.from(`${after.join("\n")}\n`);
        seen(`${name}, round ${round}`);
        trial.count("lines manipulated");
      }
    }
  };
