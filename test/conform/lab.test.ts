/** What the probes conclude, and keep for later, if the service fails in the middle (CONTRACT 12). */
import { expect, test } from "vitest";
import { Lab, type Leftovers } from "#conform/lab.ts";
import { type Send, Service } from "#conform/service.ts";
import { SESSION_PROBES } from "#conform/session-probes.ts";
import { measureAt } from "./support.ts";

const URLS = { adminUrl: "http://admin", authUrl: "http://auth", appId: "app", secret: "secret" };

const reply = (status: number, body: unknown = null, headers = {}) => ({ status, headers, text: JSON.stringify(body) });

/** @returns a lab at a service that sends `replies`, or fails, and what it has kept. */
const labAt = (send: Send) => {
  const kept: Leftovers[] = [];
  const service = new Service({ ...URLS, rate: 1e9, send, sleep: async () => undefined, monotonic: () => 0 });
  const keep = async (leftovers: Leftovers): Promise<void> => void kept.push(leftovers);
  return { service, kept, lab: new Lab(service, "run1", keep, () => 0.5) };
};

test("a creation that may have happened twice stays on record after later ones", async () => {
  let sent = 0;
  const { lab, kept } = labAt(async () => {
    sent++;
    if (sent === 1) throw new Error("socket hang up");
    return reply(201, { userId: `u${sent}` });
  });
  await lab.create();
  await lab.create();
  expect(kept.at(-1)).toEqual({ run: "run1", userIds: ["u2", "u3"], isUnsure: true });
});

test.each([
  [404, true, []],
  [410, true, []],
  [403, false, ["u1"]],
])("tidying: after a deletion with status %i everything is gone: %s", async (status, isTidy, userIds) => {
  const { lab, kept } = labAt(async ({ method }) =>
    method === "POST" ? reply(201, { userId: "u1" }) : reply(status, { error: "no" }),
  );
  await lab.create();
  expect(await lab.tidy()).toBe(isTidy);
  expect(kept.at(-1)).toEqual({ run: "run1", userIds, isUnsure: false });
});

test("a run creates 30 profiles, and does not ask for another", async () => {
  let sent = 0;
  const { lab } = labAt(async () => reply(201, { userId: `u${++sent}` }));
  for (let made = 1; made <= 30; made++) expect((await lab.create()).id).toBe(`u${made}`);
  await expect(lab.create()).rejects.toThrow("more than 30 profiles");
  expect(sent).toBe(30);
});

test("a code that is refused after a failed attempt is no evidence: that may have used it up", async () => {
  const answers = [503, 401, 200];
  const { lab } = labAt(async ({ method }) => reply(method === "PUT" ? (answers.shift() ?? 500) : 202));
  let codes = 0;
  const readCode = async (): Promise<string> => String(100_000 + codes++);
  const previous = SESSION_PROBES.find(({ setting }) => setting === "passcode.previous");
  expect(await previous?.run({ lab, found: {}, username: "ada@example.com", readCode })).toEqual({ is: "valid" });
});

test.each(["91", "Wed, 21 Oct 2026 07:28:00 GMT"])("a Retry-After of %s is not waited for", async (time) => {
  const { service } = labAt(async () => reply(429, null, { "retry-after": time }));
  await expect(service.admin("GET", "/v1/profiles")).rejects.toThrow("the service asks to wait");
});

test("a run whose end cannot be recorded is not tidy", async () => {
  const { isTidy } = await measureAt(URLS, async () => undefined, {
    send: async () => reply(200, []),
    keep: () => Promise.reject(new Error("disk full")),
    isEnded: () => true,
  });
  expect(isTidy).toBe(false);
});
