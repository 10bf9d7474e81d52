/** Pages of tests that read codes themselves, only where they were named at the start. */
import { expect, test } from "vitest";
import { harness } from "#test/http/control/support.ts";

const ORIGIN = "http://localhost:3000";
const at = harness({ config: { testOrigins: [ORIGIN] } });
const ask = (origin: string, path = "/emulator/v1/passcodes", init: RequestInit = {}) =>
  fetch(at.server.urls.console + path, { ...init, headers: { Origin: origin, ...init.headers } });

test("a page of the origin that was named reads and changes the control API", async () => {
  const answer = await ask(ORIGIN, "/emulator/v1/passcodes", { headers: { "Sec-Fetch-Site": "same-site" } });
  expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([200, ORIGIN]);
  expect(answer.headers.get("Vary")).toBe("Origin");
  const preflight = await ask(ORIGIN, "/emulator/v1/apps", {
    method: "OPTIONS",
    headers: { "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type" },
  });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Headers")]).toEqual([204, "content-type"]);
  const made = await ask(ORIGIN, "/emulator/v1/apps", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: "{}",
  });
  expect(made.status).toBe(201);
  const none = await ask(ORIGIN, "/emulator/v1/passcodes/latest");
  expect([none.status, none.headers.get("Access-Control-Allow-Origin")]).toEqual([404, ORIGIN]);
});

test("no other origin does, and the refusal says how to allow it", async () => {
  for (const origin of ["http://localhost:3001", "https://localhost:3000", "http://127.0.0.1:3000"]) {
    const answer = await ask(origin);
    expect([answer.status, answer.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    expect(await answer.json()).toMatchObject({ instruction: expect.stringContaining(`--test-origin ${origin}`) });
  }
  const far = await ask("https://example.com");
  expect(await far.text()).not.toContain("--test-origin");
});

test("it reaches the control API alone: no page, no document", async () => {
  for (const path of ["/", "/openapi/emulator.json"]) expect((await ask(ORIGIN, path)).status).toBe(403);
});
