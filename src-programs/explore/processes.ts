/** The processes of this machine that a command has started, in whatever group or session, and where they listen. */
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { environment } from "#server/config.ts";
import { type Listening, listening, pidsOfLinux, tried } from "#server/plumbing/listening.ts";

/** A process that runs. `began` and its id are never reused together. */
interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly began: string;
  /** Whether its environment has the mark. */
  readonly isMarked: boolean;
}

/** The variable by which descendants are known; its value begins with the mark. */
export const MARK_VARIABLE = "STAGEDOOR_EXPLORE";
const IS_LINUX = process.platform === "linux";
const MOST_BYTES = 64 * 1_024 * 1_024;

/** @returns what a program of the system prints; nothing if it fails or is missing. */
const printed = async (program: string, args: readonly string[]): Promise<string> =>
  await promisify(execFile)(program, args, { maxBuffer: MOST_BYTES, env: { ...environment(), LC_ALL: "C" } }).then(
    ({ stdout }) => stdout,
    () => "",
  );

const inLinux = (mark: string): readonly Process[] =>
  pidsOfLinux().flatMap((pid) => {
    const stat = tried(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
    // The name before may have spaces and parentheses.
    const [state, parent, ...rest] = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (state === undefined || state === "Z") return [];
    const environment = tried(() => readFileSync(`/proc/${pid}/environ`, "latin1"));
    return [{ pid, parent: Number(parent), began: rest[17] ?? "", isMarked: environment?.includes(mark) === true }];
  });

const LINE = /^ *(\d+) +(\d+) +([^Z ]\S*) +(\S+ +\S+ +\S+ +\S+ +\S+) (.*)$/;
/** Elsewhere: environments follow the commands. */
const fromPs = async (mark: string): Promise<readonly Process[]> =>
  (await printed("ps", ["axeww", "-o", "pid=,ppid=,state=,lstart=,command="])).split("\n").flatMap((line) => {
    const [, pid, parent, , began = "", command] = LINE.exec(line) ?? [];
    if (command === undefined) return [];
    return [{ pid: Number(pid), parent: Number(parent), began, isMarked: command.includes(mark) }];
  });

/** @param mark of the environment, without the name of the variable. @returns all processes. */
const processes = async (mark: string): Promise<readonly Process[]> =>
  IS_LINUX ? inLinux(`${MARK_VARIABLE}=${mark}`) : await fromPs(`${MARK_VARIABLE}=${mark}`);

const send = (pid: number, signal: NodeJS.Signals): unknown => tried(() => process.kill(pid, signal));

const IS_WINDOWS = process.platform === "win32";
/** How long a command may take to end what it has started after Ctrl+C, and how long the rest may take once it has ended itself. */
const GRACE_MS = 5_000;
const REST_MS = 500;
const LOOK_MS = 100;
/** How often it is killed again what is started in the meantime, and how long a port may take to be free. */
const ROUNDS = 30;

/** All that one command has started. */
export class Descendants {
  readonly #mark: string;
  readonly #known = new Map<number, string>();
  readonly #ports = new Map<string, Listening>();

  /** @param mark with which the command's environment begins {@link MARK_VARIABLE}. */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Notes what runs, and where it listens. @returns the ids of what runs. */
  async look(): Promise<readonly number[]> {
    const all = await processes(this.#mark);
    const living = new Set<number>();
    const add = ({ pid, began }: Process): void => {
      living.add(pid);
      this.#known.set(pid, began);
    };
    for (const one of all) if (one.isMarked || this.#known.get(one.pid) === one.began) add(one);
    for (let before = -1; before < living.size; ) {
      before = living.size;
      for (const one of all) if (living.has(one.parent) && !living.has(one.pid)) add(one);
    }
    living.delete(process.pid);
    for (const one of listening([...living])) this.#ports.set(`${one.port} ${one.socket}`, one);
    return [...living];
  }

  /** Ends it as Ctrl+C would, so that runners end their servers. @param pid of the command, which leads its group. */
  async interrupt(pid: number): Promise<void> {
    if (IS_WINDOWS) return void (await printed("taskkill", ["/pid", String(pid), "/t", "/f"]));
    // What has no mark is known by its parents, while those run.
    await this.look();
    send(-pid, "SIGINT");
    for (let [ms, restMs] = [0, 0]; ms < GRACE_MS && restMs < REST_MS; ms += LOOK_MS) {
      const living = await this.look();
      if (living.length === 0) return;
      if (!living.includes(pid)) restMs += LOOK_MS;
      await setTimeout(LOOK_MS);
    }
  }

  /** Kills all of it. @returns where someone still listens on a port on which it listened. */
  async end(): Promise<readonly Listening[]> {
    if (IS_WINDOWS) return [];
    for (let n = 1; ; n++) {
      const living = await this.look();
      for (const pid of living) send(pid, "SIGKILL");
      const taken = await this.#taken();
      if ((living.length === 0 && taken.length === 0) || n === ROUNDS) return taken;
      await setTimeout(LOOK_MS);
    }
  }

  /** Kills what has inherited a socket. @returns who listens on its ports. */
  async #taken(): Promise<readonly Listening[]> {
    if (this.#ports.size === 0) return [];
    const ports = new Set([...this.#ports.values()].map(({ port }) => port));
    const all = listening((await processes(this.#mark)).map(({ pid }) => pid));
    const still = all.filter(({ port, pid }) => ports.has(port) && pid !== process.pid);
    for (const { pid, port, socket } of still) if (this.#ports.has(`${port} ${socket}`)) send(pid, "SIGKILL");
    return still;
  }
}
