/**
 * Damage and truncation with the real command line: `start` exits with status 3, names file and byte, and keeps every
 * byte; a torn end is reported on standard error and the start continues.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { CLI, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { createSigningKey } from "#tokens/keys.ts";
import { killedDir } from "./cuts-and-damage.ts";
import type { Trial } from "./trial.ts";

const filesOf = (dir: string): string =>
  JSON.stringify(
    readdirSync(dir)
      .sort()
      .map((name) => [name, readFileSync(path.join(dir, name), "latin1")]),
  );

/** @param rounds number of damaged and of truncated journals. */
export const builtRefusals =
  (rounds: number) =>
  async (trial: Trial): Promise<void> => {
    const { chance } = trial;
    const { dir, journal, bytes } = await killedDir(trial, 12, (await createSigningKey("ES256")).privateJwk);
    rmSync(path.join(dir, "lock.json"));
    const document = readFileSync(path.join(dir, "stagedoor.json"));
    for (let round = 0; round < rounds; round += 1) {
      const at = chance.below(bytes.length - 1);
      const damaged = Buffer.from(bytes);
      damaged[at] = (bytes[at] ?? 0) ^ (1 << chance.below(8));
      writeFileSync(journal, damaged);
      const before = filesOf(dir);
      const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
      const child = spawn(process.execPath, [CLI, "start", "--headless", "--data", dir, ...ports], { env: cleanEnv() });
      const [said, [status]] = await Promise.all([text(child.stderr), once(child, "exit")]);
      trial.check(status === 3, `damage at byte ${at}: status ${status}`);
      trial.check(said.includes(`${journal}, byte `), `damage at byte ${at}: reported ${said}`);
      trial.check(filesOf(dir) === before, `damage at byte ${at}: a file was modified`);
      trial.count("damaged, refused with status 3");

      const size = chance.between(1, bytes.length - 1);
      writeFileSync(journal, bytes.subarray(0, size));
      const server = await startBuilt(["--data", dir]);
      const isTorn = bytes[size - 1] !== 0x0a;
      trial.check(server.stderr().includes("recovered") === isTorn, `cut at ${size}: reported ${server.stderr()}`);
      trial.check((await server.stop()) === 0, `cut at ${size}: not stopped with status 0`);
      trial.count("cut, started");
      for (const name of readdirSync(dir)) rmSync(path.join(dir, name));
      writeFileSync(path.join(dir, "stagedoor.json"), document);
    }
  };
