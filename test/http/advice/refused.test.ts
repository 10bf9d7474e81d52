/** What a refused request should change (CONTRACT 24). */
import { describe, expect, test } from "vitest";
import type { Passcode, RequestRow } from "#client/index.ts";
import { adviceOnRefusal } from "#http/advice/refused.ts";
import { appWith as app, instant, PASSCODE, ROW, requestRow as row } from "#test/renderer/records.ts";
import { outcomeWords } from "../../../src-renderer/features/requests/query.ts";

const AT = ROW.at;
const passcode = (code: string, createdAt: Passcode["createdAt"]): Passcode => ({
  ...PASSCODE,
  id: code,
  code,
  createdAt,
  expiresAt: createdAt,
});

describe("what to change", () => {
  const around = {
    apps: [app()],
    passcodes: [
      passcode("222222", instant("2026-01-31T12:00:06.000Z")),
      passcode("111111", instant("2026-01-31T12:00:00.000Z")),
    ],
  };
  const first = (refused: RequestRow, with_ = around) => adviceOnRefusal(refused, with_)[0]?.text;
  const user = { appId: "demo-app", user: { phone: "+12025550100" } };

  test("a replaced code: when, and by which", () => {
    const refused = row({ reason: "passcode_replaced" }, { ...user, passcode: "111111" });
    expect(first(refused)).toBe("The code 111111 was replaced 4 s before this request. The newest is 222222.");
    expect(outcomeWords(refused)).toBe("The passcode was replaced by a newer one");
  });

  test("two swapped digits", () => {
    const sent = { ...around, passcodes: [passcode("482917", AT)] };
    const refused = row({ reason: "passcode_mismatch" }, { ...user, passcode: "482971" });
    expect(first(refused, sent)).toContain("expected 482917. Two digits are swapped.");
  });

  test("a code of a clock that is ahead, and nothing of another user's codes", () => {
    const ahead = { ...passcode("482917", instant("2026-01-31T13:00:00.000Z")), tried: ["482918"] };
    const refused = row({ reason: "passcode_mismatch" }, { ...user, passcode: "482918" });
    expect(first(refused, { ...around, passcodes: [ahead] })).toBe("Received 482918, expected 482917.");
    expect(first(row({ ...refused, userId: "u2" }), { ...around, passcodes: [ahead] })).not.toContain("482917");
  });

  test("a phone that is written the national way", () => {
    const refused = row(
      { status: 422, reason: "invalid_fields" },
      { appId: "demo-app", user: { phone: "2025550100" } },
      { phone: ["must be a phone number"] },
    );
    expect(first(refused)).toContain("in national format");
    expect(first(refused)).toContain("+12025550100");
    expect(outcomeWords(refused)).toBe("phone must be a phone number");
  });

  test("a nested body for a flat app, and the reverse", () => {
    const missing = { appId: ["can't be blank"] };
    const nested = row(
      { status: 422, reason: "invalid_fields", appId: null },
      { session: { appId: "demo-app" } },
      missing,
    );
    expect(first(nested)).toContain("must not be nested under “session”");
    const flat = row({ reason: "unknown_app", appId: null }, user);
    const enveloped = { ...around, apps: [app({ wire: { envelope: "session" } })] };
    expect(first(flat, enveloped)).toContain("was sent as “appId”; the app expects it as “session.appId”");
  });

  test("user fields next to the app id, and the other strategy's field", () => {
    const beside = row(
      { status: 422, reason: "invalid_fields" },
      { appId: "demo-app", phone: "+1" },
      { user: ["can't be blank"] },
    );
    expect(first(beside)).toContain("“phone” must be inside “user”");
    const email = { appId: "demo-app", user: { email: "ada@example.com" } };
    const other = row({ status: 422, reason: "invalid_fields" }, email, { phone: ["can't be blank"] });
    expect(first(other)).toBe("“Demo” signs in by phone. Send the phone too: the email is not enough.");
  });

  test("nothing for a successful request, or one that a fault failed", () => {
    expect(adviceOnRefusal(row({ status: 200 }), around)).toEqual([]);
    expect(adviceOnRefusal(row({ reason: "passcode_used", fault: "f1" }), around)).toEqual([]);
  });
});
