/** The options of `stagedoor fault add` for effects. Loaded with every command line, so it loads nothing itself. */
import type { EffectName } from "#contract/faults.ts";

interface EffectOption {
  /** As commander takes them, and as help shows them. */
  readonly flags: `--${string}`;
  readonly help: string;
  /** How its text becomes the value; absent: as given. */
  readonly as?: "time" | "number" | "json" | "headers";
}

/** One option for each effect, in the order of the help. */
export const EFFECT_OPTIONS: Readonly<Record<EffectName, EffectOption>> = {
  delayMs: { flags: "--delay <TIME>", help: "respond later: 500ms, 5s; may go with any other effect", as: "time" },
  status: { flags: "--status <N>", help: "respond with this status, and do nothing", as: "number" },
  headers: { flags: "--header <HEADER...>", help: 'with --status: a header, such as "Retry-After: 30"', as: "headers" },
  body: { flags: "--body <TEXT>", help: "with --status: the body, as JSON or text", as: "json" },
  reason: {
    flags: "--reason <REASON>",
    help: "refuse as the service does for this reason, such as passcode_expired",
  },
  drop: { flags: "--drop", help: "close the connection without a response" },
  reset: { flags: "--reset", help: "reset the connection (TCP RST)" },
  deliverAfterMs: {
    flags: "--deliver-after <TIME>",
    help: "respond with 202, deliver the code later: 30s, 2m",
    as: "time",
  },
  deliverTwice: { flags: "--deliver-twice", help: "deliver the code twice" },
  undelivered: { flags: "--undelivered", help: "issue the passcode, but do not deliver it" },
};
