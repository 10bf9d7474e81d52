/**
 * The built command line in a shared process, since most of a command's time is the start of Node and its modules. Its
 * parent sends one command at a time, `{ cli, args, env, cwd, stopAt? }`, and gets `{ status, out, err }` as if the
 * process had ended, that is once nothing is left that would keep it alive. `start` gets a SIGTERM as soon as its
 * output matches `stopAt`. The parent has to notice a command that never ends.
 */
import { setTimeout as pause } from "node:timers/promises";
import { pathToFileURL } from "node:url";

/** What `process.exit` throws, since it must not end this process. */
class Exit extends Error {
  /** @param {number} status */
  constructor(status) {
    super(`exit ${status}`);
    this.status = status;
  }
}

/** @typedef {{ cli: string, args: string[], env: Record<string, string>, cwd: string, stopAt?: string }} Order */

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"];
/** Where Node keeps the connections of `fetch`: one of these, or both, by its version. */
const DISPATCHERS = [Symbol.for("undici.globalDispatcher.2"), Symbol.for("undici.globalDispatcher.1")];
const printed = { out: "", err: "" };
/** @type {RegExp | undefined} */
let stopAt;
let orders = 0;

/** @param {"out" | "err"} name */
const take = (name) => {
  /** @param {string | Uint8Array} chunk @param {unknown[]} more */
  return (chunk, ...more) => {
    printed[name] += typeof chunk === "string" ? chunk : Buffer.from(chunk).toString();
    if (stopAt?.test(printed.out)) {
      stopAt = undefined;
      setImmediate(() => process.emit("SIGTERM", "SIGTERM"));
    }
    const done = more.at(-1);
    if (typeof done === "function") done();
    return true;
  };
};
process.stdout.write = take("out");
process.stderr.write = take("err");
process.stdout.setMaxListeners(0);
process.stderr.setMaxListeners(0);
process.exit = (status) => {
  throw new Exit(Number(status ?? process.exitCode ?? 0));
};

/** @param {unknown} error */
const fail = (error) => {
  if (error instanceof Exit) process.exitCode = error.status;
  else {
    process.exitCode = 1;
    printed.err += error instanceof Error ? `${error.stack}\n` : String(error);
  }
};
process.on("uncaughtException", fail);

/** Timers of a command that would not keep its process alive end with it. */
const timers = new Set();
for (const name of ["setTimeout", "setInterval"]) {
  const set = Reflect.get(globalThis, name);
  /** @param {unknown[]} given */
  const tracked = (...given) => {
    const timer = set(...given);
    timers.add(timer);
    return timer;
  };
  Reflect.set(globalThis, name, Object.defineProperties(tracked, Object.getOwnPropertyDescriptors(set)));
}

/** Connections left open by one command must not reach the next. */
const forgetConnections = () => {
  const [dispatcher] = DISPATCHERS.map((place) => Reflect.get(globalThis, place)).filter(Boolean);
  if (dispatcher === undefined) return;
  const fresh = Reflect.construct(dispatcher.constructor, []);
  for (const place of DISPATCHERS)
    if (Reflect.get(globalThis, place) === dispatcher) Reflect.set(globalThis, place, fresh);
  void dispatcher.destroy();
};

/** @param {Order} order */
const run = async ({ cli, args, env, cwd, stopAt: pattern }) => {
  // Measured for each order: from Node 22 on the channel to the parent counts, once it has a listener.
  const idle = process.getActiveResourcesInfo().length;
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  process.chdir(cwd);
  const main = new URL("main.js", pathToFileURL(cli)).href;
  // Chunks import from it under its plain name, which would run the command again when the first of them does.
  process.argv = [process.execPath, cli, "--version"];
  await import(main).then(({ ended }) => ended).catch(() => undefined);
  process.argv = [process.execPath, cli, ...args];
  process.exitCode = undefined;
  Object.assign(printed, { out: "", err: "" });
  stopAt = pattern === undefined ? undefined : new RegExp(pattern, "m");
  // Imports past the check of Node's version, whose own import would be cached.
  await import(`${main}?${++orders}`).then(({ ended }) => ended, fail).catch(fail);
  while (process.getActiveResourcesInfo().length > idle) await pause(2, undefined, { ref: false });
  for (const timer of timers) clearTimeout(timer);
  timers.clear();
  forgetConnections();
  for (const signal of SIGNALS) process.removeAllListeners(signal);
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners("error");
  process.send?.({ status: Number(process.exitCode ?? 0), ...printed });
};

process.on("message", (order) => void run(/** @type {Order} */ (order)));
