/**
 * The data folder or a file in it is replaced, cut or removed under the running server, which is then killed: whatever it
 * answered with 2xx is there after the restart, in the folder that is there.
 */
import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import type { Trial } from "./trial.ts";

const WRITERS = 3;
/** Much more than the 2 s after which it is noticed: this is about what is lost, on a machine that may be busy. */
const NOTICED_MS = 20_000;

/** Puts a copy in the place of a file or folder. */
const byCopy = (at: string, aside: string): void => {
  cpSync(at, `${at}.copy`, { recursive: true });
  renameSync(at, aside);
  renameSync(`${at}.copy`, at);
};
const journalIn = (dir: string): string =>
  path.join(dir, readdirSync(dir).find((name) => name.startsWith("journal-")) ?? "journal-none");

const BROUGHT_BACK = "folder moved, and brought back";
/** What happens to the data. `aside`: a path for what is taken away. `ms`: how long nothing is there. */
const WAYS: Readonly<Record<string, (dir: string, aside: string, ms: number) => unknown>> = {
  "folder replaced by a copy": byCopy,
  "folder removed, and made again": async (dir, aside, ms) => {
    renameSync(dir, aside);
    await sleep(ms);
    mkdirSync(dir);
  },
  [BROUGHT_BACK]: async (dir, aside, ms) => {
    renameSync(dir, aside);
    await sleep(ms);
    renameSync(aside, dir);
  },
  "journal replaced by a copy": (dir, aside) => byCopy(journalIn(dir), aside),
  "journal cut": (dir) => truncateSync(journalIn(dir), 40),
  "journal removed": (dir) => rmSync(journalIn(dir)),
  "document file replaced by a copy": (dir, aside) => byCopy(path.join(dir, "stagedoor.json"), aside),
  "document file removed": (dir) => rmSync(path.join(dir, "stagedoor.json")),
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
    /** Users that were answered, each with when its request was sent. */
    const answered = new Map<string, number>();
    const write = async (): Promise<void> => {
      for (const control = controlOf(server); ; await sleep(5)) {
        const sent = performance.now();
        const reply = await control("POST", "/profiles", { appId: "demo-app", name: "Written" }).catch(() => undefined);
        if (reply === undefined) return;
        if (reply.status === 507) trial.count("writes refused");
        else if (trial.check(reply.status === 201, `${reply.status} ${reply.text}`))
          answered.set(reply.json.userId, sent);
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
          ? [...answered.values()].some((sent) => sent > at)
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
      const lost = [...answered.keys()].filter((id) => !found.has(id));
      trial.check(lost.length === 0, `round ${round}: ${way}: ${lost.length} of ${answered.size} answered are lost`);
      if (answered.size > 4_000) await controlOf(server)("POST", "/reset", {});
      for (const id of answered.size > 4_000 ? [...answered.keys()] : lost) answered.delete(id);
    }
  };
