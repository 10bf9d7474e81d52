/** Moves and freezes the clock that the service reads (CONTRACT 6). The clock itself is the kernel's. */
import { ofApp } from "#contract/apps.ts";
import { clockInput, clockItem } from "#contract/clock.ts";
import { frozen } from "#contract/frozen.ts";
import { answersOk, control } from "#contract/rows.ts";
import { clockAdvance } from "./contract/clock.ts";

/** @see the file */
// biome-ignore format: the rows are a table
export const manifest = frozen({
  title: "The clock: moved and frozen",
  page: "clock.md",
  routes: {
    readClock: control("GET", "clock", "Read the clock", answersOk(clockItem), { query: ofApp, bound: "query" }),
    setClock: control("PUT", "clock", "Set or freeze the clock; {} returns to real time", answersOk(clockItem),
      { query: ofApp, body: clockInput, bound: "query" }),
    advanceClock: control("POST", "clock/advance", "Advance the clock", answersOk(clockItem),
      { query: ofApp, body: clockAdvance, bound: "query" }),
  },
  schemas: { Clock: clockItem },
  types: {
    Clock: [clockItem, "The state of a clock."],
    ClockInput: [clockInput, "The new setting of a clock; `{}` is real time."],
  },
  tags: { clock: "The time that apps follow." },
  examples: { setClock: { frozenAt: "2026-12-24T18:00:00Z" }, advanceClock: { seconds: 601 } },
} as const);
