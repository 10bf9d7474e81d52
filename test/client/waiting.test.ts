/** What a client can wait for: the next passcode, and events. */
import { describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "#test/hosts/in-process.ts";
import { freePort } from "#test/support/ports.ts";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();
const { session, askForCode } = at;

describe("passcodes.next", () => {
  test("returns the next code that is requested, never an older one", async () => {
    await askForCode();
    const { code: stale, seq } = await at.client.passcodes.latest({ to: ADA });
    const next = at.client.passcodes.next({ to: ADA });
    // A user takes longer than this.
    await at.client.status();
    await at.client.status();
    await askForCode();
    const fresh = await next;
    expect(fresh).toMatchObject({ to: ADA, status: "active" });
    expect(fresh.seq).toBeGreaterThan(seq);
    expect(fresh.code === stale && fresh.seq === seq).toBe(false);
    const signedIn = await session("PUT", { appId: "demo-app", user: { phone: ADA }, passcode: fresh.code });
    expect(signedIn.status).toBe(200);
  });

  test("times out when there is only an old code, and says so", async () => {
    await askForCode();
    const error = await failure(at.client.passcodes.next({ to: ADA, timeoutMs: 150 }));
    expect(error).toMatchObject({ status: 404, reason: "no_passcode", message: expect.stringContaining(ADA) });
  });

  test("with a cursor, or requestedBy, returns the right one of fifty codes at full speed", async () => {
    for (let i = 0; i < 25; i++) {
      const after = await at.client.passcodes.cursor();
      await askForCode();
      const { requestId, seq } = await at.client.passcodes.next({ to: ADA, after, timeoutMs: 2_000 });
      const { items } = await at.client.passcodes.list({ to: ADA, limit: 1 });
      expect(items[0]).toMatchObject({ seq, requestId });
    }
    for (let i = 0; i < 25; i++) {
      const { seq } = await at.client.passcodes.requestedBy(() => askForCode(), { to: ADA, timeoutMs: 2_000 });
      expect((await at.client.passcodes.list({ to: ADA, limit: 1 })).items[0]?.seq).toBe(seq);
    }
  });

  test("takes a phone number whose plus became a space in a URL", async () => {
    const asked = at.client.passcodes.requestedBy(() => askForCode(), { to: ADA.replace("+", " "), timeoutMs: 2_000 });
    expect(await asked).toMatchObject({ to: ADA });
  });

  test("waits only for its app; ends with its signal; causes no unhandled rejection if nobody awaits it", async () => {
    const { appId } = await at.client.apps.create();
    await at.client.profiles.create({ appId, phone: ADA });
    const own = at.client.passcodes.next({ to: ADA, appId, timeoutMs: 5_000 });
    await at.client.status();
    await askForCode();
    await askForCode(ADA, appId);
    expect((await own).appId).toBe(appId);
    const ended = new AbortController();
    const waiting = at.client.passcodes.next({ to: "+12025550199", signal: ended.signal });
    ended.abort(new Error("enough"));
    expect(await failure(waiting)).toMatchObject({ message: "enough" });
    void at.client.passcodes.next({ to: "+12025550199", timeoutMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
  });

  test("list, send, expire and clear", async () => {
    const ada = (await at.client.profiles.list({ appId: "demo-app", q: ADA })).items[0];
    const sent = await at.client.passcodes.send({ appId: "demo-app", userId: ada?.userId ?? "" });
    expect(await at.client.passcodes.get(sent.id)).toEqual(sent);
    expect((await at.client.passcodes.expire(sent.id)).status).toBe("expired");
    expect((await at.client.passcodes.list({ to: ADA, status: "expired" })).total).toBe(1);
    await at.client.passcodes.clear({ appId: "demo-app" });
    expect((await at.client.passcodes.list()).total).toBe(0);
  });
});

describe("events", () => {
  test("arrive as things change, typed, for one app, until the signal aborts", async () => {
    const { appId } = await at.client.apps.create();
    await at.client.profiles.create({ appId, phone: ADA });
    const stop = new AbortController();
    const codes: string[] = [];
    const onOpen = (): void => void askForCode().then(() => askForCode(ADA, appId));
    for await (const event of at.client.events({ signal: stop.signal, appId, onOpen })) {
      if (event.type !== "passcode.put") continue;
      expect(event.item.appId).toBe(appId);
      codes.push(event.item.code);
      stop.abort();
    }
    expect(codes).toEqual([(await at.client.passcodes.latest({ to: ADA, appId })).code]);
  });

  test("close the connection when the loop ends; a failed connection throws", async () => {
    for await (const event of at.client.events({ onOpen: () => void askForCode() })) {
      expect(event.seq).toBeGreaterThan(0);
      break;
    }
    const first = connect("http://127.0.0.1:1").events().next();
    expect(await failure(first)).toMatchObject({ reason: "unreachable" });
  });

  test("continue when the server restarts", async () => {
    const config = { consolePort: await freePort() };
    const once = await startInProcess({ config });
    let back: RunningServer | undefined;
    const breaks: unknown[] = [];
    const opened: number[] = [];
    const restart = async (): Promise<void> => {
      await once.close();
      // Another test may have taken the port: then this one is tried again with another.
      back = await startInProcess({ config }).catch(() => undefined);
    };
    const events = connect(once.urls.console).events({
      onOpen: () => {
        opened.push(1);
        if (opened.length === 1) void restart();
      },
      onBreak: (error) => breaks.push(error),
    });
    const { value } = await events.next();
    expect(value).toMatchObject({ type: "resync", item: null });
    expect(opened).toHaveLength(2);
    expect(breaks.length).toBeGreaterThan(0);
    await events.return();
    await back?.close();
  });
});
