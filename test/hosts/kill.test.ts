/**
 * What was answered survives `kill -9` (CONTRACT 8): codes, tokens, and a line that was torn. Under load it is killed in
 * test/torture.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Built, startBuilt, temporaryDir } from "./built.ts";
import { caller } from "./client.ts";

let data: Awaited<ReturnType<typeof temporaryDir>>;
let server: Built;
beforeEach(async () => {
  data = await temporaryDir();
});
afterEach(async () => {
  await server.stop("SIGKILL");
  await data.remove();
});

const admin = caller(() => server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
const auth = caller(() => server.ready.authUrl);
const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);

describe("kill -9", () => {
  test("between 202 and PUT: the code still works; after the PUT never again; tokens live on", async () => {
    server = await startBuilt(["--data", data.dir]);
    const user = { appId: "demo-app", user: { phone: "+12025550100" } };
    expect((await auth("POST", "/v1/users/session", user)).status).toBe(202);
    const { code } = (await control("GET", "/passcodes/latest?to=%2B12025550100")).json;
    await server.stop("SIGKILL");

    server = await startBuilt(["--data", data.dir]);
    const session = await auth("PUT", "/v1/users/session", { ...user, passcode: code });
    expect(session.status).toBe(200);
    await server.stop("SIGKILL");

    server = await startBuilt(["--data", data.dir]);
    expect((await auth("PUT", "/v1/users/session", { ...user, passcode: code })).reason).toBe("passcode_used");
    expect((await control("POST", "/sessions/introspect", { token: session.json.token })).json.active).toBe(true);
  });

  test("a line torn by the kill is cut off, kept beside, and said", async () => {
    server = await startBuilt(["--data", data.dir]);
    const kept = await admin("POST", "/v1/profiles", { name: "kept" });
    await server.stop("SIGKILL");
    const journal = join(data.dir, "journal-1.ndjson");
    const whole = await readFile(journal);
    await writeFile(journal, Buffer.concat([whole, whole.subarray(-60, -1)]));

    server = await startBuilt(["--data", data.dir]);
    expect(server.stderr()).toContain("recovered");
    expect((await admin("GET", `/v1/profiles/${kept.json.userId}`)).json.name).toBe("kept");
    expect(await server.stop()).toBe(0);
    expect(await readFile(join(data.dir, "stagedoor.json"), "utf8")).toContain('"kept"');
  });
});
