import { afterEach, describe, expect, test } from "vitest";
import { schemaFault } from "#test/fuzz/validators.ts";
import { caller, clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freshPhone, harness, until } from "#test/http/control/support.ts";
import { type EventStream, openEvents } from "./event-stream.ts";

const at = harness();
const { control, auth, app } = at;
const open: EventStream[] = [];
const ask = async (headers?: Record<string, string>): Promise<EventStream> => {
  const stream = await openEvents(at.server.urls.console, headers);
  open.push(stream);
  return stream;
};
/** An accepted stream: those of the previous test may still be closing. */
const listen = (headers?: Record<string, string>): Promise<EventStream> =>
  until(
    () => ask(headers),
    ({ status }) => status === 200,
  );
afterEach(() => {
  for (const stream of open.splice(0)) stream.close();
});

/** Adds many profiles in one transaction. Up to 200 changes are reported one by one. */
const putProfiles = async (appId: string, count: number, fields: object): Promise<void> => {
  // Without names of their own, those of a second import would be the same users.
  const profiles = Array.from({ length: count }, () => ({ ...fields, name: freshPhone() }));
  await control("PUT", "/state", { mode: "merge", state: { version: 1, apps: [{ appId, profiles }] } });
};

test("opens an event stream immediately", async () => {
  const stream = await listen();
  expect(stream.status).toBe(200);
  expect(stream.headers["content-type"]).toMatch(/^text\/event-stream/);
  expect(stream.headers).not.toHaveProperty("access-control-allow-origin");
  await until(stream.text, (text) => text.length > 0);
});

test("numbers ids as <instance>-<n> without gaps; data is {type, appId, seq, item}", async () => {
  const stream = await listen();
  const { appId, profile } = await app();
  const made = await profile();
  const put = await stream.next(({ type, appId: of }) => type === "profile.put" && of === appId);
  expect(put).toEqual({ id: put.id, type: "profile.put", appId, seq: expect.any(Number), item: made });
  const [instance, numbers] = [
    new Set(stream.events.map(({ id }) => id.slice(0, id.lastIndexOf("-")))),
    stream.events.map(({ id }) => Number(id.slice(id.lastIndexOf("-") + 1))),
  ];
  expect(instance.size).toBe(1);
  expect(numbers.slice(1).every((n, i) => n === (numbers[i] ?? 0) + 1)).toBe(true);
  expect(put.seq).toBe((await control("GET", "/status")).json.seq);
});

test("reports every resource when it is written, as GET returns it, and when it is removed", async () => {
  const stream = await listen();
  const { appId, profile, ask } = await app();
  const { userId, phone } = await profile();
  await ask(phone);
  const session = (await control("POST", "/sessions", { appId, userId })).json;
  const link = (await control("POST", "/connections", { appId, userId, name: "Bank" })).json;
  const passcode = (await control("GET", `/passcodes/latest?to=${phone}`)).json;
  const { token: _, ...shown } = session;
  const put = (type: string) => stream.next((event) => event.type === type && event.appId === appId);
  expect((await put("app.put")).item).toMatchObject({ appId });
  expect((await put("passcode.put")).item).toEqual(passcode);
  expect((await put("session.put")).item).toEqual(shown);
  expect((await put("connection.put")).item).toEqual(link);
  await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2030-01-01T00:00:00.000Z" });
  expect((await put("clock.put")).item).toEqual((await control("GET", `/clock?appId=${appId}`)).json);

  await control("DELETE", `/connections/${link.id}`);
  expect((await put("connection.remove")).item).toEqual({ id: link.id });
  await control("DELETE", `/profiles/${userId}`);
  expect((await put("profile.remove")).item).toEqual({ userId });
  expect((await put("session.remove")).item).toEqual({ id: session.id });
  expect((await put("passcode.remove")).item).toEqual({ id: passcode.id });
  await control("DELETE", `/apps/${appId}`);
  expect((await put("app.remove")).item).toEqual({ appId });
});

test("every event is as the OpenAPI document has it: its type determines its item", async () => {
  const { json } = await caller(() => `${at.server.urls.console}/openapi`)("GET", "/emulator.json");
  const schema = { $ref: "#/components/schemas/Event", components: json.components };
  const faultOf = (event: object) => schemaFault(schema, event);
  const stream = await listen();
  const { appId, profile, ask } = await app();
  const { userId, phone } = await profile();
  await ask(phone);
  const { id } = (await control("POST", "/sessions", { appId, userId })).json;
  const link = (await control("POST", "/connections", { appId, userId, name: "Bank" })).json;
  const fault = (await control("POST", "/faults", { match: { appId }, effect: { status: 503 } })).json;
  const { seq } = (await control("POST", "/mark", { appId })).json;
  const rotated = (await control("POST", "/signing-keys/rotate", {})).json.items;
  await control("PUT", `/clock?appId=${appId}`, { frozenAt: "2030-01-01T00:00:00.000Z" });
  await control("POST", "/rewind", { appId, to: seq });
  await control("PUT", `/snapshots/${appId}?appId=${appId}`);
  for (const path of [
    `snapshots/${appId}?appId=${appId}`,
    `faults/${fault.id}`,
    `connections/${link.id}`,
    `profiles/${userId}`,
  ])
    expect((await control("DELETE", `/${path}`)).status, path).toBe(204);
  await control("DELETE", `/signing-keys/${rotated.at(-2).kid}`);
  await putProfiles(appId, 300, {});
  await control("DELETE", `/apps/${appId}`);
  await stream.next(({ type, appId: of }) => type === "app.remove" && of === appId);
  await stream.next(({ type }) => type === "request.put");
  for (const { id: _, ...event } of stream.events)
    expect([event.type, faultOf(event)]).toEqual([event.type, undefined]);
  expect(new Set(stream.events.map(({ type }) => type)).size).toBeGreaterThanOrEqual(18);
  expect(faultOf({ type: "session.put", appId, seq: 1, item: { id } })).toBeDefined();
  expect(faultOf({ type: "session.remove", appId, seq: 1, item: { id } })).toBeUndefined();
  expect(faultOf({ type: "session.removed", appId, seq: 1, item: { id } })).toBeDefined();
});

test("reports a passcode right after its response", async () => {
  const stream = await listen();
  const { profile, ask: send } = await app();
  const { phone } = await profile();
  expect(await send(phone)).toBe(202);
  await stream.next(({ type, item }) => type === "passcode.put" && item?.to === phone);
});

test("reports request log rows, coalesced to at most 20 events a second", async () => {
  const stream = await listen();
  const { appId } = await app();
  const began = performance.now();
  for (let n = 0; n < 60; n++) await auth("POST", "/v1/users/session", { appId, user: { phone: freshPhone() } });
  const rows = () => stream.events.filter(({ type }) => type === "request.put");
  const told = () => rows().reduce((sum, { item }) => sum + 1 + (item?.more ?? 0), 0);
  // A row of the previous test may come with them.
  await until(told, (count) => count >= 60);
  expect(rows().length).toBeLessThanOrEqual(Math.ceil((performance.now() - began) / 50) + 1);
  const newest = rows().at(-1)?.item;
  const { request: _request, response: _response, ...summary } = (await control("GET", `/requests/${newest?.id}`)).json;
  expect(newest).toEqual({ ...summary, more: newest?.more });
});

describe("Last-Event-ID", () => {
  test("resumes: delivers missed events once and in order, then new ones", async () => {
    const first = await listen();
    const { profile } = await app();
    await profile({ name: "one" });
    const last = await first.next(({ type, item }) => type === "profile.put" && item?.name === "one");
    first.close();
    await profile({ name: "two" });
    await profile({ name: "three" });
    const second = await listen({ "Last-Event-ID": last.id });
    await profile({ name: "four" });
    await second.next(({ item }) => item?.name === "four");
    const names = second.events.filter(({ type }) => type === "profile.put").map(({ item }) => item?.name);
    expect(names).toEqual(["two", "three", "four"]);
    expect(second.events.map(({ type }) => type)).not.toContain("resync");
  });

  test("resumes from the beginning if that is where the stream broke", async () => {
    const server = await startInProcess();
    const first = await openEvents(server.urls.console);
    // The only id so far is that of the greeting, before any event.
    const greeting = await until(
      () => /^id: (.*)$/m.exec(first.text())?.[1],
      (id) => id !== undefined,
    );
    first.close();
    await fetch(`${server.urls.console}/emulator/v1/apps`, { method: "POST" });
    const second = await openEvents(server.urls.console, { "Last-Event-ID": greeting ?? "" });
    await second.next(({ type }) => type === "app.put");
    expect(second.events.map(({ type }) => type)).toEqual(["app.put"]);
    second.close();
    await server.close();
  });

  test("keeps at most 16 MiB of events, and says resync to whoever missed more", async () => {
    const { appId, profile } = await app({ settings: { validation: "lenient" } });
    const first = await listen();
    const { userId } = await profile();
    const put = await first.next((event) => event.type === "profile.put" && event.appId === appId);
    first.close();
    for (let n = 0; n < 10; n++)
      await control("PATCH", `/profiles/${userId}?appId=${appId}`, { name: `${n}${"x".repeat(900_000)}` });
    const second = await listen({ "Last-Event-ID": put.id });
    await second.next(({ type }) => type === "resync");
  });

  test("keeps at least the last 1,000 events, and says resync to whoever missed more", async () => {
    const server = await startInProcess();
    const { control: change } = clientsOf(() => server);
    const first = await openEvents(server.urls.console);
    // An app, and ten times 199 profiles and the app: the server has forgotten the oldest events.
    const { appId } = (await change("POST", "/apps")).json;
    for (let n = 0; n < 10; n++) {
      const profiles = Array.from({ length: 199 }, () => ({ name: freshPhone() }));
      await change("PUT", "/state", { mode: "merge", state: { version: 1, apps: [{ appId, profiles }] } });
    }
    const newest = await first.next(({ id }) => id.endsWith("-2001"));
    const after = (n: number) =>
      openEvents(server.urls.console, { "Last-Event-ID": newest.id.replace("2001", String(n)) });
    const [kept, forgotten] = [await after(1_000), await after(999)];
    await kept.next(({ id }) => id === newest.id);
    expect(kept.events.map(({ id }) => Number(id.split("-").at(-1)))).toEqual(
      Array.from({ length: 1_001 }, (_, n) => 1_001 + n),
    );
    await forgotten.next(({ type }) => type === "resync");
    expect(forgotten.events).toHaveLength(1);
    for (const stream of [first, kept, forgotten]) stream.close();
    await server.close();
  });

  test("continues if nothing was missed", async () => {
    const first = await listen();
    const { profile } = await app();
    await profile({ name: "quiet" });
    const last = await first.next(({ item }) => item?.name === "quiet");
    const second = await listen({ "Last-Event-ID": last.id });
    expect(second.status).toBe(200);
    await profile({ name: "loud" });
    await second.next(({ item }) => item?.name === "loud");
    expect(second.events.map(({ type }) => type)).not.toContain("resync");
  });

  test.each(["garbage", "", "0-0", "someone-else-12", "-", "x-99999999999999999999"])(
    "%j, which is not one of ours, gets resync",
    async (id) => {
      const stream = await listen({ "Last-Event-ID": id });
      const resync = await stream.next(({ type }) => type === "resync");
      expect(resync).toMatchObject({ appId: null, item: null, id: expect.stringMatching(/^\S+-\d+$/) });
      const { profile } = await app();
      await profile({ name: `after ${id}` });
      await stream.next(({ item }) => item?.name === `after ${id}`);
    },
  );

  test("in the future or too long ago gets resync", async () => {
    const stream = await listen();
    const { profile, appId } = await app();
    await profile({ name: "old" });
    const { id } = await stream.next(({ item }) => item?.name === "old");
    const [instance, n] = [id.slice(0, id.lastIndexOf("-")), Number(id.slice(id.lastIndexOf("-") + 1))];
    const ahead = await listen({ "Last-Event-ID": `${instance}-${n + 1_000_000}` });
    await ahead.next(({ type }) => type === "resync");
    // Far more events than are kept.
    for (let n = 0; n < 12; n++) await putProfiles(appId, 190, {});
    const behind = await listen({ "Last-Event-ID": id });
    await behind.next(({ type }) => type === "resync");
  });
});

test("reports a large change as state.put", async () => {
  const stream = await listen();
  await putProfiles((await app()).appId, 300, {});
  expect((await stream.next(({ type }) => type === "state.put")).item).toBeNull();
});

test("allows 100 streams and rejects the next; closing one makes room", async () => {
  const streams: EventStream[] = [];
  for (let n = 0; n < 100; n++) streams.push(await listen());
  expect(new Set(streams).size).toBe(100);
  const refused = await control("GET", "/events");
  expect([refused.status, refused.reason]).toEqual([429, "too_many_streams"]);
  expect(Object.keys(refused.json)).toEqual(["message", "instruction"]);
  streams[0]?.close();
  expect((await listen()).status).toBe(200);
});

test("drops a client that does not read; others continue, and memory does not grow", async () => {
  const [slow, quick] = [await listen(), await listen()];
  slow.pause();
  const { appId } = await app();
  const metadata = Object.fromEntries(Array.from({ length: 15 }, (_, n) => [`k${n}`, "x".repeat(1_000)]));
  // Far beyond what the kernel buffers for the client that does not read.
  for (let n = 0; n < 8; n++) await putProfiles(appId, 190, { metadata });
  const bytes = () => quick.text().length;
  await until(bytes, (length) => length > 8 * 190 * 15_000);
  expect(quick.ended()).toBe(false);
  // It is dropped after two seconds without reading; then its slot is free.
  for (let n = 0; n < 98; n++) await listen();
  expect((await listen()).status).toBe(200);
  // It never receives what was not sent by then.
  slow.resume();
  await until(slow.ended, (ended) => ended);
  expect(slow.text().length).toBeLessThan(bytes() / 2);
});

test("stopping the server ends the streams, read or unread", async () => {
  const server = await startInProcess();
  const [reading, stuck] = [await openEvents(server.urls.console), await openEvents(server.urls.console)];
  stuck.pause();
  await server.close();
  await until(reading.ended, (ended) => ended);
  await expect(fetch(`${server.urls.console}/livez`)).rejects.toThrow();
});
