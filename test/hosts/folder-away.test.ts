/** A data folder that goes away while Stagedoor runs, and comes back. */
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { freshPath, run, send, start } from "#test/cli/support.ts";

beforeEach(({ skip }) => skip(process.platform === "win32", "Windows moves no folder whose files are open"));

const SECRET = { Authorization: "Bearer sk_local_demo" };

/** @returns a started server, and calls to it. */
const started = async () => {
  const dir = freshPath();
  const server = await start(["--headless", "--data", dir]);
  const { adminUrl, authUrl, consoleUrl } = server.ready;
  const bases = [adminUrl, authUrl, consoleUrl];
  const create = async (name: string) => {
    const answer = await send("POST", `${adminUrl}/v1/profiles`, { name }, SECRET);
    return { status: answer.status, reason: answer.headers.get("Emulator-Reason"), body: await answer.text() };
  };
  const names = async (url = adminUrl): Promise<unknown[]> => {
    const answer = await send("GET", `${url}/v1/profiles?limit=100`, undefined, SECRET);
    const profiles: unknown = await answer.json();
    return Array.isArray(profiles) ? profiles.map(({ name }) => name) : [];
  };
  const ready = (path = "/readyz") => Promise.all(bases.map(async (base) => (await fetch(`${base}${path}`)).status));
  return { ...server, dir, create, names, ready, consoleUrl, authUrl };
};
const restarted = async (dir: string) => {
  const { ready, stop } = await start(["--headless", "--data", dir]);
  const answer = await send("GET", `${ready.adminUrl}/v1/profiles?limit=100`, undefined, SECRET);
  const text = await answer.text();
  await stop();
  return text;
};
const MISSING = /data folder .* was removed or moved/;

describe("a data folder that was moved", () => {
  test("is named in responses, in the terminal and by status; /readyz is 503, and reads go on", async () => {
    const { dir, create, names, ready, err, authUrl, consoleUrl } = await started();
    expect(await create("Before")).toMatchObject({ status: 201 });
    expect(await ready()).toEqual([200, 200, 200]);
    renameSync(dir, `${dir}-moved`);
    expect(await ready()).toEqual([503, 503, 503]);
    expect(await ready("/livez")).toEqual([200, 200, 200]);
    expect(await (await fetch(`${authUrl}/readyz`)).text()).toMatch(MISSING);
    const refused = await create("Away");
    expect(refused).toMatchObject({ status: 507, reason: "data_folder_missing" });
    expect(refused.body).toMatch(MISSING);
    expect(refused.body).toContain(dir);
    expect(await names()).toContain("Before");
    expect(await names()).not.toContain("Away");
    expect(err()).toMatch(MISSING);
    expect(err()).not.toContain("taken over");
    expect((await run(["status", "--url", consoleUrl])).out).toMatch(MISSING);
    expect(await (await fetch(authUrl, { headers: { Accept: "application/json" } })).json()).toMatchObject({
      ready: false,
    });
    expect(existsSync(dir)).toBe(false);
  });

  test("when it is back, all goes on, and everything answered is there after a restart", async () => {
    const { dir, create, names, ready, err, stop } = await started();
    await create("Before");
    renameSync(dir, `${dir}-moved`);
    expect(await ready()).toEqual([503, 503, 503]);
    expect(await create("Away")).toMatchObject({ status: 507 });
    renameSync(`${dir}-moved`, dir);
    expect(await ready()).toEqual([200, 200, 200]);
    expect(err()).toContain("is back");
    expect(await create("After")).toMatchObject({ status: 201 });
    expect(await names()).toEqual(expect.arrayContaining(["Before", "After"]));
    await stop("SIGKILL");
    const text = await restarted(dir);
    for (const name of ["Before", "After"]) expect(text).toContain(name);
    expect(text).not.toContain("Away");
  });

  test("and came back as a copy, it is the copy that is written", async () => {
    const { dir, create, ready, stop } = await started();
    await create("Before");
    renameSync(dir, `${dir}-moved`);
    expect(await ready()).toEqual([503, 503, 503]);
    cpSync(`${dir}-moved`, dir, { recursive: true });
    rmSync(`${dir}-moved`, { recursive: true });
    expect(await ready()).toEqual([200, 200, 200]);
    expect(await create("After")).toMatchObject({ status: 201 });
    await stop("SIGKILL");
    const text = await restarted(dir);
    for (const name of ["Before", "After"]) expect(text).toContain(name);
  });
});

describe("a data folder that was removed", () => {
  test.each([
    ["made again", false],
    ["only emptied", true],
  ])("and %s, it gets everything from memory", async (_, isEmptied) => {
    const { dir, create, ready, stop } = await started();
    await create("Before");
    rmSync(dir, { recursive: true });
    if (!isEmptied) {
      expect(await ready()).toEqual([503, 503, 503]);
      expect(await create("Away")).toMatchObject({ status: 507, reason: "data_folder_missing" });
    }
    mkdirSync(dir);
    await expect.poll(() => ready(), { timeout: 10_000 }).toEqual([200, 200, 200]);
    await expect.poll(async () => (await create("After")).status, { timeout: 10_000 }).toBe(201);
    await expect.poll(() => existsSync(join(dir, "stagedoor.json")), { timeout: 10_000 }).toBe(true);
    expect(readFileSync(join(dir, "stagedoor.json"), "utf8")).toContain("Before");
    await stop("SIGKILL");
    const text = await restarted(dir);
    for (const name of ["Before", "After"]) expect(text).toContain(name);
    expect(text).not.toContain("Away");
  });
});
