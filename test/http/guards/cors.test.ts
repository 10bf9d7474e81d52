import { expect, test } from "vitest";
import { harness } from "../control/support.ts";

const { auth, app } = harness();
const SESSION = "/v1/users/session";
const EXPOSED = [
  "Emulator",
  "Emulator-Request-Id",
  "Emulator-Reason",
  "Emulator-Instruction",
  "Retry-After",
  "Allow",
  "WWW-Authenticate",
  "Link",
  "Current-Page",
  "Page-Items",
  "Total-Count",
  "Total-Pages",
];

test.each(["http://localhost:3000", "https://app.example", "null", "capacitor://localhost"])(
  "auth allows the origin %s: in preflights, responses and errors",
  async (origin) => {
    const { appId } = await app();
    const preflight = await auth("OPTIONS", SESSION, undefined, {
      Origin: origin,
      "Access-Control-Request-Method": "PUT",
      "Access-Control-Request-Headers": "content-type, authorization, x-of-their-own",
    });
    expect([preflight.status, preflight.text]).toEqual([204, ""]);
    const { headers } = preflight;
    expect(["*", origin]).toContain(headers.get("Access-Control-Allow-Origin"));
    for (const method of ["GET", "POST", "PUT", "DELETE"])
      expect(headers.get("Access-Control-Allow-Methods")).toContain(method);
    expect(headers.get("Access-Control-Allow-Headers")).toBe("content-type, authorization, x-of-their-own");
    expect(Number(headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
    // A cache must not give one page's answer to another that asks for other headers.
    expect(headers.get("Vary")).toBe("Access-Control-Request-Headers");

    const done = await auth("POST", SESSION, { appId, user: { phone: "+13035554444" } }, { Origin: origin });
    const refused = await auth("POST", SESSION, { appId: "none", user: {} }, { Origin: origin });
    const unknown = await auth("GET", "/nowhere", undefined, { Origin: origin });
    const alive = await auth("GET", "/livez", undefined, { Origin: origin });
    expect([done.status, refused.status, unknown.status, alive.status].includes(500)).toBe(false);
    for (const reply of [done, refused, unknown, alive, preflight]) {
      expect(["*", origin]).toContain(reply.headers.get("Access-Control-Allow-Origin"));
      expect(reply.headers.get("Access-Control-Allow-Credentials")).toBeNull();
      const exposed = reply.headers.get("Access-Control-Expose-Headers")?.split(/, */) ?? [];
      expect(exposed).toEqual(expect.arrayContaining(EXPOSED));
    }
  },
);

test("OPTIONS without a preflight returns 405 with Allow", async () => {
  const refused = await auth("OPTIONS", SESSION);
  expect([refused.status, refused.headers.get("Allow")]).toEqual([405, "POST, PUT"]);
});
