/** Which faults let a request pass. */
import { expect, test } from "vitest";
import { epochMs, isoInstant } from "#contract/scalars.ts";
import type { FaultItem } from "#features/failures/faults/contract/faults.ts";
import { metBy } from "#features/failures/faults/meeting.ts";

const fault: FaultItem = {
  id: "00000000-0000-4000-8000-000000000001",
  userId: null,
  scenario: null,
  match: {},
  effect: { status: 503 },
  times: null,
  seed: "any",
  used: 0,
  remaining: null,
  createdAt: isoInstant(epochMs(0)),
};

/** @returns whether the fault applies, and how often chance was asked. */
const met = (probability: number) => {
  let draws = 0;
  const digits = (): string => {
    draws += 1;
    return "500000000";
  };
  const { effect } = metBy({ digits }, { ...fault, probability });
  return { applies: effect !== undefined, draws };
};

test.each([
  [0, { applies: false, draws: 0 }],
  [0.4, { applies: false, draws: 1 }],
  [0.6, { applies: true, draws: 1 }],
  [1, { applies: true, draws: 0 }],
])("probability %d: chance is asked only where it decides", (probability, expected) => {
  expect(met(probability)).toEqual(expected);
});
