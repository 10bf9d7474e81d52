/**
 * One request of a login, as many times as it is run: `short.mjs LOG HOW`. LOG gets a line a run. HOW: `once` ends with 0
 * whatever comes; `stuck` waits without end unless the user was signed up; `third` does so the third time, with a process of its own;
 * `leaves` ends with 0, and its process goes on; `less` sends a second request, but only in its first run; `cached` sends
 * one only then; `odd` ends with 0 the first time, and then each second time. `serves` starts a server as Playwright does, in a session of its own, the second time without an
 * environment, and waits without end unless the user was signed up; `hands` ends once another process has taken its server's port.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { setTimeout as pause } from "node:timers/promises";

const [log, how, port] = process.argv.slice(2);
const { STAGEDOOR_AUTH_URL: auth, STAGEDOOR_APP_ID: appId } = process.env;
const endless = () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "ignore" });
  child.unref();
  return child.pid;
};
const isTaken = () =>
  new Promise((done) => {
    const socket = connect(Number(port), "127.0.0.1", () => done(socket.destroy() !== null)).on("error", () =>
      done(false),
    );
  });
const server = () => {
  const code = `require("node:net").createServer().listen(${port}, "127.0.0.1")`;
  const child = spawn(process.execPath, ["-e", code], {
    stdio: "ignore",
    detached: true,
    env: existsSync(log) ? {} : process.env,
  });
  child.unref();
  return child.pid;
};
const own = createServer();
const handOver = async () => {
  await pause(1_500);
  await new Promise((done) => own.close(done));
  while (!(await isTaken())) await pause(50);
};
if (how === "cached" && existsSync(log)) process.exit(0);
const send = () =>
  fetch(`${auth}/v1/users/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ appId, user: { phone: "+12025550188" } }),
  }).catch(() => undefined);
const response = await send();
if (how === "less" && !existsSync(log)) await send();
const runs = () => readFileSync(log, "utf8").trim().split("\n").length;
const started = how === "serves" ? server() : how === "leaves" || how === "third" ? endless() : null;
while (how === "serves" && !(await isTaken())) await pause(50);
if (how === "hands") await new Promise((done) => own.listen(Number(port), "127.0.0.1", done));
appendFileSync(log, `${JSON.stringify({ auth, pid: started })}\n`);
if (how === "hands") await handOver();
if (how === "odd" && runs() % 2 === 0) process.exitCode = 1;
console.log(`signed up: ${response?.ok === true}`);
if (((how === "stuck" || how === "serves") && response?.ok !== true) || (how === "third" && runs() === 3))
  setInterval(() => undefined, 1_000);
