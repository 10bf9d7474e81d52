/**
 * The machine's clock jumps (with libfaketime; without it this is reported), and so does the emulator's: nothing
 * crashes, order is by `seq`, document writes and retention continue, and a restart finds everything.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import type { Trial } from "./trial.ts";

const LIBRARY = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1";
/** Jumps of the machine's clock: to the day before and after a leap day, far back, far ahead. */
const MOMENTS = ["2026-11-21 00:00:00", "2026-11-20 00:00:00", "1999-12-31 23:59:59", "2037-01-01 00:00:00"];

const generationOf = (dir: string): number =>
  Number(/"generation":(\d+)/.exec(readFileSync(path.join(dir, "stagedoor.json"), "utf8").slice(0, 200))?.[1] ?? 0);

/** @param rounds number of jumps. */
export const clockJumps =
  (rounds: number) =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const hasLibrary = existsSync(LIBRARY);
    if (!hasLibrary) trial.figures.set("system clock unchanged: libfaketime is not installed", "");
    const home = trial.newDir();
    const [dir, moment] = [path.join(home, "data"), path.join(home, "moment")];
    writeFileSync(moment, `@${MOMENTS[0]}\n`);
    const faked = {
      LD_PRELOAD: LIBRARY,
      FAKETIME_TIMESTAMP_FILE: moment,
      FAKETIME_NO_CACHE: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    const env = hasLibrary ? { ...cleanEnv(), ...faked } : cleanEnv();
    let server: Built = await startBuilt(["--data", dir], env);
    trial.atEnd(() => server.stop("SIGKILL"));
    const admin = caller(() => server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
    const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);
    const made: string[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      if (hasLibrary) {
        writeFileSync(moment, `@${chance.pick(MOMENTS)}\n`);
        trial.count("system clock jumps");
      }
      if (chance.is(0.5)) {
        const clock = chance.pick([
          {},
          { offsetSeconds: chance.between(-4e8, 4e8) },
          { frozenAt: "2020-02-29T12:00:00.000Z" },
        ]);
        trial.check((await control("PUT", "/clock", clock)).status === 200, `jump ${round}: the clock cannot be set`);
        trial.count("emulator clock jumps");
      }
      const before = generationOf(dir);
      // More than the journal holds before a document file is due.
      for (let n = 0; n < 90; n += 1) {
        const { status, json } = await admin("POST", "/v1/profiles", { name: `${round}` });
        if (trial.check(status === 201, `jump ${round}: ${status}`)) made.push(json.userId);
        await admin("PUT", `/v1/profiles/${json.userId}`, { metadata: { pad: "x".repeat(14_000) } });
        await admin("PUT", `/v1/profiles/${json.userId}`, { metadata: null });
      }
      const { status } = await control("POST", "/passcodes", { appId: "demo-app", userId: await firstUser(control) });
      trial.check(status === 201, `jump ${round}: sending a code returned ${status}`);
      const codes: { seq: number }[] = (await control("GET", "/passcodes?appId=demo-app&limit=100")).json.items;
      const isOrdered = codes.every(({ seq }, at) => at === 0 || seq < (codes[at - 1]?.seq ?? 0));
      trial.check(isOrdered, `jump ${round}: codes are not the newest first`);
      trial.count("document file writes", generationOf(dir) - before);
    }
    const order = async (): Promise<string[]> => {
      const ids: string[] = [];
      for (let page = 1; ; page += 1) {
        const { json } = await admin("GET", `/v1/profiles?limit=100&page=${page}`);
        if (json.length === 0) return ids.filter((id) => made.includes(id));
        ids.push(...json.map(({ userId }: { userId: string }) => userId));
      }
    };
    trial.same(await order(), made, "the list is not in creation order");
    trial.check(Number(trial.figures.get("document file writes")) > 0, "no document file was written");
    await server.stop("SIGKILL");
    server = await startBuilt(["--data", dir], env);
    trial.same(await order(), made, "after a kill and a restart");
    trial.check((await server.stop()) === 0, "a clean stop failed");
    trial.same(readdirSync(dir), ["stagedoor.json"], "after a clean stop");
  };

const firstUser = async (control: ReturnType<typeof caller>): Promise<string> =>
  (await control("GET", "/profiles?appId=demo-app&limit=1")).json.items[0].userId;
