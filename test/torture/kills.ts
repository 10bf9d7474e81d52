/**
 * kill -9 of the built server at random moments under load: every acknowledged change exists after each
 * restart, exactly; a pending one exists completely or not at all.
 */
import { readdirSync, readFileSync, watch } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { KillClient, Wrong } from "./kill-client.ts";
import { Seeder } from "./seeder.ts";
import type { Trial } from "./trial.ts";

const CLIENTS = 4;

/** Records what the kill interrupted. */
const look = (trial: Trial, dir: string): void => {
  const names = readdirSync(dir);
  if (names.some((name) => /^stagedoor\.json\.\w+\.tmp$/.test(name))) trial.count("kills during a document file write");
  const snapshots = names.includes("snapshots") ? readdirSync(path.join(dir, "snapshots")) : [];
  if (snapshots.some((name) => name.endsWith(".tmp"))) trial.count("kills during a snapshot write");
  const head = readFileSync(path.join(dir, "stagedoor.json"), "utf8").slice(0, 200);
  trial.most("document file writes", Number(/"generation":(\d+)/.exec(head)?.[1] ?? 0));
};

/** @returns what a client finds wrong after a restart. */
const wrongOf = async (client: KillClient): Promise<string | undefined> =>
  (await client.compare()) ?? (await client.compareSnapshot()) ?? (await client.prove());

/** @param rounds number of kills. @param args more options of `start`. */
export const kills =
  (rounds: number, args: readonly string[] = []) =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const dir = trial.newDir();
    let server: Built = await startBuilt(["--data", dir, ...args]);
    trial.atEnd(() => server.stop("SIGKILL"));
    const clients = Array.from({ length: CLIENTS }, (_, n) => new KillClient(n, chance.fork(), () => server.ready));
    for (const client of clients) await client.begin();
    for (let round = 1; round <= rounds; round += 1) {
      const working = clients.map((client) => client.work().catch((error: unknown) => error));
      // The load decides where the kill lands; its maximum duration comes from the seed.
      await sleep(chance.between(5, 350));
      await server.stop("SIGKILL");
      for (const end of await Promise.all(working)) {
        if (end instanceof Error) trial.check(!(end instanceof Wrong), `kill ${round}: ${end.message}`);
      }
      trial.count("kills");
      look(trial, dir);
      if (chance.is(0.15)) {
        // Again while it starts.
        const early = startBuilt(["--data", dir, ...args]).catch(() => undefined);
        const started = await Promise.race([early, sleep(chance.between(20, 300))]);
        trial.count("starts killed early", started === undefined ? 1 : 0);
        await (await early)?.stop("SIGKILL");
      }
      const before = performance.now();
      server = await startBuilt(["--data", dir, ...args]);
      trial.most("slowest restart in ms", Math.round(performance.now() - before));
      if (server.stderr().includes("recovered")) trial.count("torn tails truncated");
      for (const client of clients) {
        const wrong = await wrongOf(client);
        trial.check(wrong === undefined, `kill ${round}: ${wrong}`);
      }
    }
    for (const { answered } of clients) trial.count("changes acknowledged", answered);
  };

/** @returns when the document file of an import appears, or the work has ended. */
const writing = async (dir: string, work: Promise<unknown>): Promise<void> => {
  const watcher = watch(dir);
  const seen = new Promise((resolve) =>
    watcher.on("change", (_, name) => String(name).endsWith(".tmp") && resolve(null)),
  );
  await Promise.race([seen, work]);
  watcher.close();
};

/**
 * kill -9 while a large world is imported and others write: the import is found whole or not at all, whole once it was
 * acknowledged, and whatever others were answered is there.
 */
export const killedImports =
  (rounds: number, sizes: readonly number[] = [20_000, 20_000, 30_000]) =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const dir = trial.newDir();
    let server: Built = await startBuilt(["--data", dir]);
    trial.atEnd(() => server.stop("SIGKILL"));
    const urls = () => server.ready;
    const client = new KillClient(0, chance.fork(), urls);
    const seeder = new Seeder(chance.fork(), sizes, urls);
    await client.begin();
    for (let round = 1; round <= rounds; round += 1) {
      const importing = seeder.seed().catch((error: unknown) => error);
      const others = [() => client.work(), ...(chance.is(0.3) ? [() => seeder.change()] : [])];
      const working = others.map((work) => work().catch((error: unknown) => error));
      if (chance.is(0.75)) {
        await writing(dir, importing);
        if (chance.is(0.7)) await sleep(chance.below(200));
      } else await sleep(chance.between(5, 1_500));
      await server.stop("SIGKILL");
      for (const end of await Promise.all([importing, ...working]))
        if (end instanceof Error) trial.check(!(end instanceof Wrong), `kill ${round}: ${end.message}`);
      trial.count("kills");
      look(trial, dir);
      server = await startBuilt(["--data", dir]);
      for (const wrong of [await seeder.compare(), await wrongOf(client)])
        trial.check(wrong === undefined, `kill ${round}: ${wrong}`);
    }
    trial.count("imports acknowledged", seeder.answered);
    trial.count("changes of others acknowledged", client.answered);
  };
