/**
 * A power failure on a real file system: ext4 in an image, copied without a sync while the server writes. The copy
 * contains what had reached the device. If this user cannot mount an image, this is reported.
 */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import type { Trial } from "./trial.ts";

const run = (program: string, ...args: string[]): boolean => spawnSync(program, args).status === 0;

/** What was acknowledged, and when, in milliseconds. */
type Answers = { readonly userId: string; readonly at: number }[];

const round = async (trial: Trial, level: "disk" | "process", label: string): Promise<boolean> => {
  const home = trial.newDir();
  const [image, copy] = [path.join(home, "image"), path.join(home, "copy")];
  const [live, after] = [path.join(home, "live"), path.join(home, "after")];
  for (const dir of [live, after]) mkdirSync(dir);
  const isMounted =
    process.platform === "linux" &&
    run("truncate", "-s", "48M", image) &&
    run("mkfs.ext4", "-q", "-F", image) &&
    run("mount", "-o", "loop", image, live);
  if (!isMounted) {
    trial.figures.set("not done: no image may be mounted here", "");
    return false;
  }
  trial.atEnd(() => run("umount", live));
  const server = await startBuilt(["--data", path.join(live, "data"), "--durability", level]);
  trial.atEnd(() => server.stop("SIGKILL"));
  const answers: Answers = [];
  const admin = caller(() => server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
  const client = async (): Promise<void> => {
    for (;;) {
      const { json } = await admin("POST", "/v1/profiles", { name: label, metadata: { pad: "x".repeat(2_000) } });
      answers.push({ userId: json.userId, at: performance.now() });
    }
  };
  const clients = Array.from({ length: 4 }, () => client().catch(() => undefined));
  await sleep(trial.chance.between(300, 2_500));
  server.child.kill("SIGSTOP");
  const [cutAt, count] = [performance.now(), answers.length];
  copyFileSync(image, copy);
  await server.stop("SIGKILL");
  await Promise.all(clients);
  run("umount", live);
  if (!trial.check(run("mount", "-o", "loop", copy, after), `${label}: the copy cannot be mounted`)) return true;
  trial.atEnd(() => run("umount", after));
  trial.count(`power cuts with ${level}`);
  const must = answers.slice(0, count).filter(({ at }) => level === "disk" || at < cutAt - 1_000);
  trial.count(`acknowledged with ${level} and required`, must.length);
  const again = await startBuilt(["--data", path.join(after, "data"), "--durability", level]);
  trial.atEnd(() => again.stop("SIGKILL"));
  if (again.stderr().includes("recovered")) trial.count("torn tails truncated");
  const there = new Set<string>();
  for (let page = 1; ; page += 1) {
    const all = caller(() => again.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
    const { json } = await all("GET", `/v1/profiles?limit=100&page=${page}`);
    if (json.length === 0) break;
    for (const { userId } of json) there.add(userId);
  }
  const lost = must.filter(({ userId }) => !there.has(userId)).length;
  trial.check(lost === 0, `${label}: ${lost} of ${must.length} acknowledged changes are missing`);
  await again.stop("SIGKILL");
  run("umount", after);
  return true;
};

/** @param rounds per durability. */
export const imageCuts =
  (rounds: number, levels: readonly ("disk" | "process")[] = ["disk", "process"]) =>
  async (trial: Trial): Promise<void> => {
    for (let n = 0; n < rounds; n += 1) {
      for (const level of levels) if (!(await round(trial, level, `${level} ${n}`))) return;
    }
  };
