/**
 * Acknowledged changes survive `kill -9`: codes, tokens, and a torn line. test/torture kills it under
 * load.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "#test/http/control/support.ts";
import { caller } from "./client.ts";
import { useBuilt } from "./use-built.ts";

const at = useBuilt();

const admin = caller(() => at.server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
const auth = caller(() => at.server.ready.authUrl);
const control = caller(() => `${at.server.ready.consoleUrl}/emulator/v1`);

describe("after kill -9", () => {
  test("a code sent before still works, a used one never does, and tokens stay valid", async () => {
    await at.start();
    const user = { appId: "demo-app", user: { phone: "+12025550100" } };
    expect((await auth("POST", "/v1/users/session", user)).status).toBe(202);
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    await at.server.stop("SIGKILL");

    await at.start();
    const session = await auth("PUT", "/v1/users/session", { ...user, passcode: code });
    expect(session.status).toBe(200);
    await at.server.stop("SIGKILL");

    await at.start();
    expect((await auth("PUT", "/v1/users/session", { ...user, passcode: code })).reason).toBe("passcode_used");
    expect((await control("POST", "/sessions/introspect", { token: session.json.token })).json.active).toBe(true);
  });

  test("between the write and the lost answer, the code is used and the session there, as after any answer", async () => {
    await at.start();
    const user = { appId: "demo-app", user: { phone: "+12025550100" } };
    expect((await auth("POST", "/v1/users/session", user)).status).toBe(202);
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    const fault = { match: { method: "PUT" }, effect: { delayMs: 60_000, after: true }, times: 1 };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    const lost = auth("PUT", "/v1/users/session", { ...user, passcode: code }).then(
      () => "answered",
      () => "lost",
    );
    const sessions = () => control("GET", "/sessions?appId=demo-app&state=active");
    await until(sessions, ({ json }) => json.total === 1);
    await at.server.stop("SIGKILL");
    expect(await lost).toBe("lost");

    await at.start();
    expect((await auth("PUT", "/v1/users/session", { ...user, passcode: code })).reason).toBe("passcode_used");
    expect((await sessions()).json.total).toBe(1);
  });

  test("a message that was under way arrives at once", async () => {
    await at.start();
    const fault = {
      match: { to: "+12025550100" },
      effect: { deliverAfterMs: 3_600_000, deliverTwice: true },
      times: 1,
    };
    expect((await control("POST", "/faults", fault)).status).toBe(201);
    const user = { appId: "demo-app", user: { phone: "+12025550100" } };
    expect((await auth("POST", "/v1/users/session", user)).status).toBe(202);
    await at.server.stop("SIGKILL");

    await at.start();
    const latest = () => control("GET", "/passcodes/latest?to=%2B12025550100&wait=30000");
    expect((await latest()).json.delivery).toBe("sent");
    await until(latest, ({ json }) => json.arrivals === 2);
  });

  test("a torn line is truncated, backed up and reported", async () => {
    await at.start();
    const kept = await admin("POST", "/v1/profiles", { name: "kept" });
    await at.server.stop("SIGKILL");
    const journal = join(at.dir, "journal-1.ndjson");
    const whole = await readFile(journal);
    await writeFile(journal, Buffer.concat([whole, whole.subarray(-60, -1)]));

    await at.start();
    expect(at.server.stderr()).toContain("recovered");
    expect((await admin("GET", `/v1/profiles/${kept.json.userId}`)).json.name).toBe("kept");
    expect(await at.server.stop()).toBe(0);
    expect(await readFile(join(at.dir, "stagedoor.json"), "utf8")).toContain('"kept"');
  });
});
