/** What the probes conclude, and keep for later, if the service fails in the middle. */
import { expect, test } from "vitest";
import { Lab, type Leftovers } from "#programs/conform/measure/lab.ts";
import { type Send, Service } from "#programs/conform/measure/service.ts";
import { SESSION_PROBES } from "#programs/conform/measure/session-probes.ts";
import { measureAt } from "./support.ts";

const URLS = { adminUrl: "http://admin", authUrl: "http://auth", appId: "app", secret: "secret" };

const reply = (status: number, body: unknown = null, headers = {}) => ({ status, headers, text: JSON.stringify(body) });

/** @returns a lab at a service that sends `replies`, or fails, and what it has kept. */
const labAt = (send: Send) => {
  const kept: Leftovers[] = [];
  const parts = { ...URLS, rate: 1e9, send, sleep: async () => undefined, monotonic: () => 0, isEnded: () => false };
  const service = new Service(parts);
  const keep = async (leftovers: Leftovers): Promise<void> => void kept.push(leftovers);
  return { service, kept, lab: new Lab(service, "run1", keep, () => 0.5) };
};

/** @returns a service that stores profiles, and fails in the `fails` way at each creation of that number. */
const storing = (fails: Readonly<Record<number, "before" | "after">> = {}, deleted = 204) => {
  const people = new Map<string, unknown>();
  let creations = 0;
  const send: Send = async ({ method, url, body }) => {
    const id = /profiles\/(.+)/.exec(url)?.[1];
    if (id === undefined && method === "GET")
      return reply(200, url.includes("=2") ? [] : [...people].map(([userId, person]) => ({ userId, person })));
    if (id === undefined) {
      const how = fails[++creations];
      if (how === "before") throw new Error("socket hang up");
      people.set(`u${creations}`, JSON.parse(body ?? ""));
      if (how === "after") throw new Error("socket hang up");
      return reply(201, { userId: `u${creations}` });
    }
    if (method === "GET") return people.has(id) ? reply(200, people.get(id)) : reply(404);
    if (deleted !== 403) people.delete(id);
    return reply(deleted);
  };
  return { people, send, creations: () => creations };
};

test("a creation without an answer is repeated once it is certain what it created", async () => {
  const { people, send } = storing({ 2: "before", 4: "after" });
  const { lab, kept } = labAt(send);
  for (const id of ["u1", "u3", "u5"]) expect((await lab.create()).id).toBe(id);
  expect([...people.keys()]).toEqual(["u1", "u3", "u5"]);
  expect(kept.at(-1)).toEqual({ run: "run1", userIds: ["u1", "u3", "u5"], isUnsure: false });
});

test("a creation without an answer is the last one while nothing proves that the list shows profiles", async () => {
  const { people, send } = storing({ 1: "before" });
  const { lab, kept } = labAt(send);
  await expect(lab.create()).rejects.toThrow('with name "stagedoor-conform run1 501" may have been created');
  expect([people.size, kept.at(-1)]).toEqual([0, { run: "run1", userIds: [], isUnsure: true }]);
  expect(await lab.tidy()).toEqual(['http://admin/v1/profiles, unknown id, with name "stagedoor-conform run1 501"']);
});

test.each([
  [200, []],
  [404, []],
  [410, []],
  [403, ['http://admin/v1/profiles/u1 with name "stagedoor-conform run1 501"']],
])("tidying: after deletions with status %i, %j is left", async (status, left) => {
  const { lab, kept } = labAt(storing({}, status).send);
  await lab.create();
  expect(await lab.tidy()).toEqual(left);
  expect(kept.at(-1)).toEqual({ run: "run1", userIds: left.length === 0 ? [] : ["u1"], isUnsure: false });
});

test("a run creates 30 profiles, and does not ask for another", async () => {
  const { send, creations } = storing();
  const { lab } = labAt(send);
  for (let made = 1; made <= 30; made++) expect((await lab.create()).id).toBe(`u${made}`);
  await expect(lab.create()).rejects.toThrow("more than 30 profiles");
  expect(creations()).toBe(30);
});

test("numbers that are taken are replaced for as long as the service blames the phone", async () => {
  const { send } = storing();
  const taken = new Set(Array.from({ length: 8 }, (_, n) => `+120255501${50 + n}`));
  const { lab } = labAt(async (request, timeoutMs) => {
    const { phone } = request.method === "POST" ? JSON.parse(request.body ?? "") : {};
    return taken.delete(phone) ? reply(422, { phone: ["has already been taken"] }) : await send(request, timeoutMs);
  });
  expect((await lab.profile()).id).toBe("u1");
});

test("an id under which another profile is found is never used", async () => {
  const asked: string[] = [];
  const { lab } = labAt(async ({ method, url }) => {
    asked.push(`${method} ${url}`);
    return method === "POST" ? reply(201, { id: 7 }) : reply(200, { id: 7, name: "Ada" });
  });
  await expect(lab.create()).rejects.toThrow("the id 7, where the profile is not");
  expect(await lab.tidy()).toHaveLength(1);
  expect(asked.filter((one) => one.startsWith("DELETE"))).toEqual([]);
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
  const { isTidy, left } = await measureAt(URLS, async () => undefined, {
    send: async () => reply(200, []),
    keep: () => Promise.reject(new Error("disk full")),
  });
  expect([isTidy, left]).toEqual([false, ["disk full"]]);
});
