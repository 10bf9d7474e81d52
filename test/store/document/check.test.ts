import fc from "fast-check";
import { expect, test } from "vitest";
import { COLLECTIONS } from "#contract/service/records.ts";
import { recordChecks } from "#store/document/check.ts";
import { AT, connection, passcode, profile, session, uuid } from "#test/store/records.ts";
import { runs } from "#test/support/runs.ts";

const good = {
  profiles: profile(1, 1, { metadata: { favoriteColor: "blue" }, testPasscode: "123456" }),
  passcodes: passcode(1, 1, uuid(2), { tried: ["000000"], requestId: uuid(3) }),
  sessions: session(1, 1, uuid(2), { revokedAt: AT, device: "curl" }),
  connections: connection(1, 1, uuid(2)),
};

const odd = fc.oneof(
  fc.constantFrom<unknown>(null, "", "x", 0, -1, 1.5, 2 ** 53, true, [], {}, ["x"], [1], { a: 1 }),
  fc.constantFrom<unknown>(
    "2026-02-29T00:00:00.000Z",
    "2024-02-29T00:00:00.000Z",
    "2026-01-31T12:00:00Z",
    "active",
    "sms",
  ),
  fc.constantFrom<unknown>(uuid(7), uuid(7).toUpperCase(), `${uuid(7)}\n`, AT, ` ${AT}`),
);

test.each(COLLECTIONS)("the quick check of %s is never laxer than zod; both accept valid records", (collection) => {
  const { quick, schema } = recordChecks[collection];
  expect(quick(good[collection])).toBe(true);
  expect(schema.safeParse(good[collection]).success).toBe(true);
  const names = Object.keys(good[collection]);
  for (const name of names) {
    const { [name]: _, ...rest } = Object.fromEntries(Object.entries(good[collection]));
    if (quick(rest)) expect(schema.safeParse(rest).success, `without ${name}`).toBe(true);
  }
  fc.assert(
    fc.property(fc.constantFrom(...names), odd, (name, value) => {
      const edited: unknown = { ...good[collection], [name]: value };
      return !quick(edited) || schema.safeParse(edited).success;
    }),
    { numRuns: runs(2000) },
  );
  for (const none of [null, undefined, 7, "x", []]) expect(quick(none)).toBe(false);
});
