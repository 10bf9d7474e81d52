/** The options of `stagedoor fault add` for effects. Loaded with every command line, so it loads nothing itself. */

import type { EffectName, FaultChance } from "#contract/service/faults.ts";

interface EffectOption {
  /** As commander takes them, and as help shows them. */
  readonly flags: `--${string}`;
  readonly help: string;
  /** How its text becomes the value; absent: as given. */
  readonly as?: "time" | "range" | "cycle" | "number" | "json" | "headers";
}

/** One option for each effect, in the order of the help. */
export const EFFECT_OPTIONS: Readonly<Record<EffectName, EffectOption>> = {
  delayMs: {
    flags: "--delay <TIME>",
    help: "respond later: 500ms, or 500ms-4s for a random delay; can be combined with any other effect",
    as: "range",
  },
  status: { flags: "--status <N>", help: "respond with this status, and do nothing", as: "number" },
  headers: { flags: "--header <HEADER...>", help: 'with --status: a header, such as "Retry-After: 30"', as: "headers" },
  body: { flags: "--body <TEXT>", help: "with --status: the body, as JSON or text", as: "json" },
  reason: {
    flags: "--reason <REASON>",
    help: "reject as the service does for this reason, such as passcode_expired",
  },
  after: {
    flags: "--after",
    help: "carry the request out first: with --drop, --reset, --status or --delay, its response is lost",
  },
  twice: { flags: "--twice", help: "carry the request out twice, as a client repeats it; respond to the second" },
  drop: { flags: "--drop", help: "close the connection without a response" },
  reset: { flags: "--reset", help: "reset the connection (TCP RST)" },
  deliverAfterMs: {
    flags: "--deliver-after <TIME>",
    help: "respond with 202, deliver the code later: 30s, or 15s-90s",
    as: "range",
  },
  deliverTwice: { flags: "--deliver-twice", help: "deliver the code twice" },
  clockOffMs: { flags: "--clock-off <TIME>", help: "respond as if the clock were 3m ahead, or -3m behind", as: "time" },
  undelivered: { flags: "--undelivered", help: "issue the passcode, but do not deliver it" },
};

/** One option for each way in which a fault can be left to chance. */
export const CHANCE_OPTIONS: Readonly<Record<keyof FaultChance, EffectOption>> = {
  repetitions: {
    flags: "--repetitions <HOW>",
    help: "what the client itself repeats within a second: count uses up --times, follow (default) fails as the first did",
  },
  probability: { flags: "--probability <SHARE>", help: "apply to this share of requests, such as 0.2", as: "number" },
  seed: { flags: "--seed <SEED>", help: "the same seed makes the same choices (default: random)" },
  cycle: { flags: "--cycle <TIMES>", help: "active for part of the time: 10s/1m is 10 s of every minute", as: "cycle" },
};
