/** `requests.waitFor` and `requests.count`, and closing a client. */
import { describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { ADA, failure, useServed } from "./support.ts";

const at = useServed();
const { session, askForCode } = at;
const PATH = "/v1/users/session";

describe("requests", () => {
  test("waitFor resolves with a request that exists, or arrives later", async () => {
    const { appId } = await at.client.apps.create();
    await at.client.profiles.create({ appId, phone: ADA });
    const waiting = at.client.requests.waitFor({ appId, path: PATH, status: 202 });
    await askForCode(ADA, appId);
    const row = await waiting;
    expect(row).toMatchObject({ appId, method: "POST", listener: "auth", status: 202 });
    expect((await at.client.requests.waitFor({ appId })).id).toBe(row.id);
    expect((await at.client.requests.waitFor(({ appId: of, status }) => of === appId && status === 202)).id).toBe(
      row.id,
    );
    const newer = at.client.requests.waitFor({ appId }, { after: row.id });
    await askForCode(ADA, appId);
    expect((await newer).id).not.toBe(row.id);
    expect(await at.client.requests.count({ appId })).toBe(2);
    expect(await at.client.requests.count({ appId, status: 401 })).toBe(0);
    expect(await at.client.requests.count((one) => one.appId === appId)).toBe(2);
  });

  test("waitFor reports the last requests if none matched, and rejects unknown options", async () => {
    await session("POST", { appId: "ghost", user: { phone: ADA } });
    const error = await failure(at.client.requests.waitFor({ status: 418 }, { timeoutMs: 1 }));
    expect(error).toMatchObject({ status: 404, reason: "no_request" });
    expect(String(error)).toContain('No request matched {"status":418} within 0.001 s');
    expect(String(error)).toContain(`POST ${PATH} 401 unknown_app`);
    const misspelt = { appId: "demo-app", stauts: 401 };
    expect(await failure(at.client.requests.waitFor(misspelt))).toMatchObject({
      ...{ status: 422, fields: { stauts: [expect.stringContaining("status")] } },
    });
    expect(await failure(at.client.requests.count(misspelt))).toMatchObject({ status: 422 });
    expect(await failure(at.client.requests.waitFor({ appId: "ghost" }))).toMatchObject({ status: 404 });
    const wrong = { timeoutMs: 1, timeout: 1 };
    expect(await failure(at.client.requests.waitFor({ status: 418 }, wrong))).toMatchObject({ status: 422 });
  });
});

describe("closing a client", () => {
  test("costs nothing before: two thousand calls add no listeners that Node would warn of", async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error): void => void warnings.push(name);
    process.on("warning", note);
    for (let round = 0; round < 40; round++)
      await Promise.all(Array.from({ length: 50 }, () => at.client.snapshots.list()));
    process.off("warning", note);
    expect(warnings).toEqual([]);
  });

  test("ends event streams without an error, and waits with the reason closed", async () => {
    const client = connect(at.server.urls.console);
    const closing: Promise<void>[] = [];
    const events = client.events({ onOpen: () => closing.push(client.close()) });
    const waits = [
      client.passcodes.next({ to: ADA }),
      client.passcodes.expectNone({ to: ADA, within: 3_600_000 }),
      client.requests.waitFor({ status: 418 }),
      client.withSignal(new AbortController().signal).passcodes.next({ to: ADA }),
    ];
    for await (const event of events) expect(event.seq).toBeGreaterThan(0);
    for (const wait of waits) expect(await failure(wait)).toMatchObject({ status: 0, reason: "closed" });
    expect(await failure(client.status())).toMatchObject({ reason: "closed" });
    await Promise.all(closing);
    await client.close();
    // Other clients continue.
    expect((await at.client.status()).name).toBe("stagedoor");
  });

  test("is also possible with Symbol.asyncDispose", async () => {
    const client = connect(at.server.urls.console);
    await client[Symbol.asyncDispose]();
    expect(await failure(client.apps.list())).toMatchObject({ reason: "closed", message: "This client is closed." });
  });

  test("connect rejects an unknown option", () => {
    const misspelt = { accessToken: "", consoleURL: at.server.urls.console };
    expect(() => connect(misspelt)).toThrow('connect: consoleURL is unknown; did you mean "consoleUrl"?');
  });
});
