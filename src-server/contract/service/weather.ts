/** Weather: named lists of faults. */
import { z } from "zod";
import { BOUNDS } from "../bounds.ts";
import { counted } from "../words/words.ts";
import { type FaultInput, faultInput } from "./faults.ts";
import { utf8Bytes } from "./metadata.ts";

/** A weather: what it is like, and the faults that it consists of. */
interface Weather {
  readonly summary: string;
  readonly faults: readonly FaultInput[];
}

const always = (effect: FaultInput["effect"], more: Partial<FaultInput> = {}): FaultInput => ({
  match: { listener: "auth" },
  effect,
  times: null,
  ...more,
});

/** The name of no weather at all. */
export const CALM = "calm";

const LATE = { deliverAfterMs: { from: 15_000, to: 90_000 } } as const;
const RESTART = { status: 503, headers: { "Retry-After": "10" } } as const;

/** The weather of every app. */
export const WEATHER: Readonly<Record<string, Weather>> = {
  tunnel: {
    summary: "20% of requests get no response, half of them although they were carried out; the rest take 0.5–4 s.",
    // Each is offered what those before it have let pass.
    faults: [
      always({ drop: true }, { probability: 1 / 10 }),
      always({ drop: true, after: true }, { probability: 1 / 9 }),
      always({ delayMs: { from: 500, to: 4_000 } }),
    ],
  },
  "rush-hour": {
    summary: "Codes take 15–90 s; 10% arrive twice, 5% never.",
    faults: [
      always({ undelivered: true }, { probability: 1 / 20 }),
      always({ ...LATE, deliverTwice: true }, { probability: 2 / 19 }),
      always(LATE),
    ],
  },
  deploy: {
    summary: "The service returns 503 for the first 10 s of every minute.",
    faults: [always(RESTART, { match: {}, cycle: { everyMs: 60_000, forMs: 10_000 } })],
  },
  "bad-clock": {
    summary: "The service's clock is 3 minutes ahead of the device's.",
    faults: [always({ clockOffMs: 180_000 }, { match: {} })],
  },
  [CALM]: { summary: "Ends the weather.", faults: [] },
};

/** An app's own weather, by name, as it is stored: an earlier version had no bound on its size. */
export const storedWeather = z
  .record(
    z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "must be a name such as our-office"),
    z.array(faultInput).min(1).max(100),
  )
  .refine((own) => Object.keys(own).every((name) => !(name in WEATHER)), {
    message: `must have names other than ${Object.keys(WEATHER).join(", ")}`,
  });

const OWN_BYTES = BOUNDS.weatherBytes.most;

/** An app's own weather, by name, as it is sent. */
export const ownWeather = storedWeather
  .refine((own) => utf8Bytes(JSON.stringify(own)) <= OWN_BYTES, {
    message: `must have at most ${counted(OWN_BYTES)} bytes as JSON`,
  })
  .describe("Your own weather: lists of faults, by name. See faults.md.");
