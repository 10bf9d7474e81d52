/**
 * Two processes on one directory that cannot see each other, as in two containers with one volume: each
 * runs in its own pid namespace as pid 1. Whatever either acknowledged exists in the end.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { caller } from "#test/hosts/client.ts";
import { until } from "#test/http/control/support.ts";
import type { Trial } from "./trial.ts";

const WRAP = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"];
const mayUnshare = (): boolean =>
  process.platform === "linux" && spawnSync(WRAP[0] ?? "", [...WRAP.slice(1), "true"]).status === 0;

/** A server in its own pid namespace, under constant writes. */
class Contained {
  readonly server: Built;
  /** Names of the profiles that got a 201. */
  readonly answered: string[] = [];
  /** Number of responses with each other status. */
  readonly refused = new Map<number, number>();
  readonly #name: string;
  #isWriting = true;
  readonly #writers: Promise<void>[];

  private constructor(server: Built, name: string) {
    this.server = server;
    this.#name = name;
    this.#writers = [1, 2, 3, 4].map((writer) => this.#write(writer));
  }

  /** @throws Error with its output if it is refused. */
  static async start(data: string, name: string): Promise<Contained> {
    return new Contained(await startBuilt(["--data", data], cleanEnv(), WRAP), name);
  }

  /** Signals the server itself, the only child of the program that made the namespace. */
  signal(name: "SIGSTOP" | "SIGCONT" | "SIGTERM"): void {
    const pid = this.server.child.pid ?? 0;
    process.kill(Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").trim()), name);
  }

  /** Stops writing. @returns when the last response has arrived. */
  async rest(): Promise<void> {
    this.#isWriting = false;
    await Promise.all(this.#writers);
  }

  /** A clean stop. */
  async stop(): Promise<void> {
    await this.rest();
    const { child } = this.server;
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    this.signal("SIGTERM");
    await ended;
  }

  async #write(writer: number): Promise<void> {
    const admin = caller(() => this.server.ready.adminUrl, { Authorization: "Bearer sk_local_demo" });
    for (let n = 1; this.#isWriting; n += 1) {
      const name = `${this.#name} ${writer} ${n}`;
      const status = await admin("POST", "/v1/profiles", { name }).then(
        (reply) => reply.status,
        // It was killed.
        () => 0,
      );
      if (status === 201) this.answered.push(name);
      else this.refused.set(status, (this.refused.get(status) ?? 0) + 1);
      await sleep(2);
    }
  }
}

const namesIn = async (data: string): Promise<ReadonlySet<string>> => {
  const server = await startBuilt(["--data", data]);
  const control = caller(() => `${server.ready.consoleUrl}/emulator/v1`);
  const { json } = await control("GET", "/state?appId=demo-app");
  await server.stop();
  return new Set(json.apps[0].profiles.map(({ name }: { name: string }) => name));
};

const round = async (trial: Trial, pauseMs: number, label: string): Promise<void> => {
  const { chance } = trial;
  const data = path.join(trial.newDir(), "data");
  const first = await Contained.start(data, "first");
  trial.atEnd(() => first.server.stop("SIGKILL"));
  await sleep(chance.between(50, 500));

  const refusal = await startBuilt(["--data", data], cleanEnv(), WRAP).then(
    (server) => server.stop("SIGKILL"),
    (error: unknown) => String(error),
  );
  const isNamed = String(refusal).includes(`process 1 of another container or machine (console at`);
  trial.check(isNamed && String(refusal).includes("ended with 1"), `${label}: a second start: ${refusal}`);
  trial.count("second starts refused");

  first.signal("SIGSTOP");
  await sleep(pauseMs);
  const atPause = first.answered.length;
  first.signal("SIGCONT");
  await until(
    () => first.answered.length,
    (count) => count > atPause,
  ).catch(() => undefined);
  await sleep(100);
  // Connections that waited longer than HTTP allows are closed, some with 408: nothing was acknowledged.
  const refused = [...first.refused].filter(([status]) => status !== 0 && status !== 408);
  trial.check(refused.length === 0, `${label}: after a pause alone: ${JSON.stringify(refused)}`);
  trial.check(first.answered.length > atPause, `${label}: no write succeeds after a pause alone`);
  trial.count("pauses without a 507");

  first.signal("SIGSTOP");
  const second = await Contained.start(data, "second");
  trial.atEnd(() => second.server.stop("SIGKILL"));
  trial.check(second.server.stderr().includes("Watching"), `${label}: taken over without a message`);
  await sleep(chance.between(50, 500));
  const how = chance.pick(["it runs on", "it was killed", "it has stopped"]);
  if (how === "it was killed") await second.server.stop("SIGKILL");
  if (how === "it has stopped") await second.stop();
  const before = first.answered.length;
  first.signal("SIGCONT");
  await until(
    () => first.refused.get(507) ?? 0,
    (count) => count > 0,
  ).catch(() => undefined);
  await sleep(100);
  // A change in the journal when it was paused can still be acknowledged, at most one per writer.
  trial.check(first.answered.length <= before + 4, `${label}: the first one still answers 201`);
  trial.check((first.refused.get(507) ?? 0) > 0, `${label}: the first one never answered 507, and ${how}`);
  trial.check(first.server.stderr().includes("has taken over"), `${label}: the first one reports nothing`);
  trial.count(`takeovers after which ${how}`);
  await Promise.all([first.stop(), second.stop()]);

  const found = await namesIn(data);
  const lost = [...first.answered, ...second.answered].filter((name) => !found.has(name));
  trial.check(
    lost.length === 0,
    `${label}: ${lost.length} acknowledged writes are lost, such as ${lost[0]}, and ${how}`,
  );
  trial.count("acknowledged writes", first.answered.length + second.answered.length);
  trial.count("507 responses", first.refused.get(507) ?? 0);
  trial.same(readdirSync(data), ["stagedoor.json"], `${label}: after a clean stop`);
};

/** @param rounds number of takeovers. @param pauseMs how long the holder is paused with no other process. */
export const twoNamespaces =
  (rounds: number, pauseMs: number) =>
  async (trial: Trial): Promise<void> => {
    if (!mayUnshare()) {
      trial.figures.set("NOT DONE: this user may make no pid namespaces (unshare)", "");
      return;
    }
    for (let n = 1; n <= rounds; n += 1) await round(trial, pauseMs, `round ${n}`);
  };
