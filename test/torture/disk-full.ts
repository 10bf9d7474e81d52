/**
 * A disk that is really full: 507, reads continue, writes continue once there is space, and a restart
 * finds exactly what was there. Uses a small tmpfs if this user can mount one; otherwise this is reported.
 */
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import type { Trial } from "./trial.ts";

const mounted = (dir: string): boolean =>
  process.platform === "linux" && spawnSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", dir]).status === 0;

/** @param rounds how often the disk is filled; each round ends with a kill and a restart. */
export const fullDisk =
  (rounds: number) =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const dir = trial.newDir();
    if (!mounted(dir)) {
      trial.figures.set("not done: no file system may be mounted here", "");
      return;
    }
    trial.atEnd(() => spawnSync("umount", [dir]));
    const ballast = path.join(dir, "ballast");
    let server: Built = await startBuilt(["--data", path.join(dir, "data")]);
    trial.atEnd(() => server.stop("SIGKILL"));
    const admin = caller(() => server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
    const state = async (): Promise<string> =>
      (await caller(() => `${server.ready.consoleUrl}/emulator/v1`)("GET", "/state?volatile=1")).text;
    for (let round = 1; round <= rounds; round += 1) {
      const { bavail, bsize } = statfsSync(dir);
      writeFileSync(ballast, Buffer.alloc(Math.min(chance.between(700_000, 1_200_000), (bavail * bsize) >> 1)));
      let reply = await admin("POST", "/v1/profiles", { name: "first" });
      for (let n = 0; reply.status === 201 && n < 5_000; n += 1) {
        trial.count("changes until the disk was full");
        reply = await admin("POST", "/v1/profiles", { metadata: { text: "x".repeat(chance.below(14_000)) } });
      }
      trial.check(
        reply.status === 507 && reply.reason === "disk_full",
        `round ${round}: ${reply.status} ${reply.text}`,
      );
      for (let refused = 0; refused < 3; ) {
        const full = await state();
        const again = await admin("POST", "/v1/profiles", { metadata: { text: "x".repeat(14_000) } });
        if (again.status === 507) {
          trial.same(await state(), full, `round ${round}: a rejected change was applied`);
          trial.count("507 responses");
          refused += 1;
        } else if (!trial.check(again.status === 201, `round ${round}: ${again.status} while it was full`)) break;
        // An unfinished document file has freed some.
        else trial.count("changes that fit after all");
      }
      trial.check((await admin("GET", "/v1/profiles?limit=100")).status === 200, `round ${round}: reads fail`);
      rmSync(ballast);
      const resumed = await admin("POST", "/v1/profiles", { name: "there is room" });
      trial.check(resumed.status === 201, `round ${round}: ${resumed.status} after space was freed`);
      const before = await state();
      await server.stop("SIGKILL");
      server = await startBuilt(["--data", path.join(dir, "data")]);
      trial.same(await state(), before, `round ${round}: after a kill and a restart`);
      trial.count("full disks with exact state after a kill");
      // Half of the rounds start with what the previous one left.
      if (round % 2 === 0) await caller(() => server.ready.consoleUrl)("DELETE", "/emulator/v1/state");
      else {
        const { json } = await admin("GET", "/v1/profiles?limit=100");
        for (const { userId } of json) await admin("DELETE", `/v1/profiles/${userId}`);
      }
      // A clean stop shrinks the journal.
      await server.stop();
      server = await startBuilt(["--data", path.join(dir, "data")]);
    }
  };
