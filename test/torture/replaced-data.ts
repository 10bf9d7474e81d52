/**
 * The data folder or a file in it is replaced, cut or removed under the running server, which is then killed: whatever it
 * answered with 2xx is there after the restart, in the folder that is there.
 */
import { mkdirSync, renameSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { REPLACEMENTS } from "./replacements.ts";
import type { Trial } from "./trial.ts";

const WRITERS = 3;
/** Much more than the 2 s after which it is noticed: this is about what is lost, on a machine that may be busy. */
const NOTICED_MS = 20_000;

const BROUGHT_BACK = "the folder, moved and brought back";
/** `aside`: a path for what is taken away. `ms`: how long nothing is there, where it is not replaced at once. */
const WAYS: Readonly<Record<string, (dir: string, aside: string, ms: number) => unknown>> = {
  ...REPLACEMENTS,
  "the folder, removed and made again": async (dir, aside, ms) => {
    renameSync(dir, aside);
    await sleep(ms);
    mkdirSync(dir);
  },
  [BROUGHT_BACK]: async (dir, aside, ms) => {
    renameSync(dir, aside);
    await sleep(ms);
    renameSync(aside, dir);
  },
};

const controlOf = ({ ready }: Built) => caller(() => `${ready.consoleUrl}/emulator/v1`);

/** @returns whether the condition came true in time. */
const becomes = async (isSo: () => boolean): Promise<boolean> => {
  const deadline = performance.now() + NOTICED_MS;
  while (!isSo() && performance.now() < deadline) await sleep(20);
  return isSo();
};

/** @param rounds number of replacements, each with a kill. */
export const replacedData =
  (rounds: number, durability: "process" | "disk") =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const dir = path.join(trial.newDir(), "data");
    const start = (): Promise<Built> => startBuilt(["--data", dir, "--durability", durability]);
    let server = await start();
    trial.atEnd(() => server.stop("SIGKILL"));
    /** The users that were answered, and when the newest of them was sent. */
    const answered = new Set<string>();
    let newest = 0;
    const write = async (): Promise<void> => {
      for (const control = controlOf(server); ; await sleep(5)) {
        const sent = performance.now();
        const reply = await control("POST", "/profiles", { appId: "demo-app", name: "Written" }).catch(() => undefined);
        if (reply === undefined) return;
        if (reply.status === 507) trial.count("writes refused");
        else if (trial.check(reply.status === 201, `${reply.status} ${reply.text}`)) {
          answered.add(reply.json.userId);
          newest = Math.max(newest, sent);
        }
      }
    };
    for (let round = 1; round <= rounds; round += 1) {
      const before = answered.size;
      const writing = Array.from({ length: WRITERS }, write);
      // Until then there is no journal.
      await becomes(() => answered.size > before);
      await sleep(chance.between(20, 200));
      const way = chance.pick(Object.keys(WAYS));
      const told = server.stderr().length;
      await WAYS[way]?.(dir, path.join(trial.newDir(), "old"), chance.between(0, 5_000));
      const at = performance.now();
      // With `disk` a write is answered only once it is in what is there; else all that was answered is written again.
      const isThere = (): boolean =>
        durability === "disk" || way === BROUGHT_BACK
          ? newest > at
          : server.stderr().slice(told).includes("recovered:");
      trial.check(await becomes(isThere), `round ${round}: ${way}: not noticed: ${server.stderr().slice(told)}`);
      trial.most("slowest notice in ms", Math.round(performance.now() - at));
      await sleep(chance.between(0, 200));
      await server.stop("SIGKILL");
      await Promise.all(writing);
      for (const figure of ["kills", way]) trial.count(figure);
      server = await start();
      const { apps } = (await controlOf(server)("GET", "/state?appId=demo-app")).json;
      const found = new Set(apps[0]?.profiles?.map(({ userId }: { userId: string }) => userId));
      const lost = [...answered].filter((id) => !found.has(id));
      trial.check(lost.length === 0, `round ${round}: ${way}: ${lost.length} of ${answered.size} answered are lost`);
      for (const id of lost) answered.delete(id);
      if (answered.size <= 4_000) continue;
      await controlOf(server)("POST", "/reset", {});
      answered.clear();
    }
  };
