/**
 * One request of a login, as many times as it is run: `short.mjs LOG HOW`. LOG gets a line a run. HOW: `once` ends with 0
 * whatever comes; `stuck` waits without end unless the user was signed up; `third` does so the third time, with a process of its own;
 * `leaves` ends with 0, and its process goes on; `less` sends a second request, but only in its first run.
 */
import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const [log, how] = process.argv.slice(2);
const { STAGEDOOR_AUTH_URL: auth, STAGEDOOR_APP_ID: appId } = process.env;
const endless = () => {
  const child = spawn(process.execPath, ["-e", "setInterval(() => 0, 1000)"], { stdio: "ignore" });
  child.unref();
  return child.pid;
};
const send = () =>
  fetch(`${auth}/v1/users/session`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ appId, user: { phone: "+12025550188" } }),
  }).catch(() => undefined);
const response = await send();
if (how === "less" && !existsSync(log)) await send();
const runs = () => readFileSync(log, "utf8").trim().split("\n").length;
appendFileSync(log, `${JSON.stringify({ auth, pid: how === "leaves" || how === "third" ? endless() : null })}\n`);
console.log(`signed up: ${response?.ok === true}`);
if ((how === "stuck" && response?.ok !== true) || (how === "third" && runs() === 3))
  setInterval(() => undefined, 1_000);
