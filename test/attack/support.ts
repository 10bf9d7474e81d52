/**
 * Helpers for attacks: the built program as the target, open connections, and a well-behaved client whose times are
 * reported and whose success is asserted.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect } from "vitest";
import { type Built, cleanEnv, startBuilt } from "#test/hosts/built.ts";
import { type Call, caller } from "#test/hosts/client.ts";

/** The target. */
export interface Target {
  readonly auth: Call;
  readonly admin: Call;
  readonly control: Call;
  readonly built: Built;
  /** Resident memory, MiB. */
  residentMib(): number;
}

/** The user for whom the well-behaved client requests passcodes: the first of the demo app. */
const USER = JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } });

const residentMib = ({ pid }: ChildProcess): number => {
  const kib =
    process.platform === "linux"
      ? /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" });
  return Math.round(Number(kib) / 1024);
};

/**
 * Starts the built program for the tests of this file and stops it afterwards.
 * @param heapMib its maximum heap. @param args more options of `start`.
 */
export const target = ({
  heapMib,
  args = ["--ephemeral"],
}: {
  heapMib?: number;
  args?: readonly string[];
} = {}): Target => {
  let built: Built | undefined;
  const running = (): Built => {
    if (built === undefined) throw new Error("the server is not started yet");
    return built;
  };
  beforeAll(async () => {
    const heap = heapMib === undefined ? {} : { NODE_OPTIONS: `--max-old-space-size=${heapMib}` };
    built = await startBuilt(args, { ...cleanEnv(), ...heap });
  });
  afterAll(async () => {
    await built?.stop("SIGKILL");
  });
  return {
    auth: caller(() => running().ready.authUrl),
    admin: caller(() => running().ready.adminUrl, { Authorization: "Bearer sk_local_demo" }),
    control: caller(() => `${running().ready.consoleUrl}/emulator/v1`),
    get built() {
      return running();
    },
    residentMib: () => residentMib(running().child),
  };
};

/** The results of the well-behaved client; times in milliseconds. */
interface Fared {
  readonly count: number;
  readonly failures: readonly string[];
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/**
 * Runs an attack while a client signs in, reports its times, and asserts that it always succeeded.
 * @param what names the attack in the report.
 */
export const besideWellBehaved = async <T>({ built }: Target, what: string, attack: () => Promise<T>): Promise<T> => {
  const file = fileURLToPath(new URL("well-behaved.mjs", import.meta.url));
  const client = spawn(process.execPath, [file, `${built.ready.authUrl}/v1/users/session`, USER], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const said = text(client.stdout);
  const ended = once(client, "exit");
  let result: T;
  try {
    result = await attack();
  } finally {
    client.stdin.end();
    await ended;
  }
  const fared: Fared = JSON.parse(await said);
  const { count, p50, p99, max } = fared;
  process.stdout.write(`beside ${what}: ${count} requests, p50 ${p50} ms, p99 ${p99} ms, max ${max} ms\n`);
  expect(fared.failures).toEqual([]);
  expect(count).toBeGreaterThan(0);
  return result;
};

/** @returns the head of a request, with the empty line. */
export const headOf = (line: string, headers: Readonly<Record<string, string | number>> = {}): string =>
  [
    `${line} HTTP/1.1`,
    "Host: localhost",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");

/** Connections held by an attack. */
export interface Held {
  readonly sockets: readonly Socket[];
  /** Number of connections that the server has not closed. */
  open(): number;
  /** Closes all. */
  release(): void;
}

/** As many as a system queues for a server: it would retry the others only after seconds. */
const AT_ONCE = 100;

/** Opens connections and writes the same bytes to each. @returns them once all are connected or refused. */
export const hold = async (url: string, count: number, bytes: string | Buffer = ""): Promise<Held> => {
  const port = Number(new URL(url).port);
  const sockets: Socket[] = [];
  const open = async (): Promise<void> => {
    const socket = connect(port, "127.0.0.1");
    sockets.push(socket);
    socket.on("error", () => undefined).resume();
    if (bytes.length > 0) socket.write(bytes);
    await Promise.race([once(socket, "connect"), once(socket, "close")]).catch(() => undefined);
  };
  while (sockets.length < count)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - sockets.length) }, open));
  return {
    sockets,
    open: () => sockets.filter(({ destroyed, readable }) => !destroyed && readable).length,
    release: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
};

/** Waits in real time, for attacks that last. */
export const lasting = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
