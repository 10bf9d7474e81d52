/**
 * Runs in its own network namespace (`lan-namespace.ts`): starts the built server, turns local network access on and
 * off under load, and prints the results as one line of JSON. Arguments: the command line's file, rounds.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

const [, , cli = "", rounds = "1"] = process.argv;
const LAN = "192.168.77.2";
const args = ["start", "--headless", "--ephemeral", "--json", "--admin-port=0", "--auth-port=0", "--console-port=0"];
const child = spawn(process.execPath, [cli, ...args], { stdio: ["ignore", "pipe", "inherit"] });
const [line] = await once(createInterface(child.stdout), "line");
/** @type {{ authUrl: string, consoleUrl: string }} */
const { authUrl, consoleUrl } = JSON.parse(line);
const port = Number(new URL(authUrl).port);
const seen = { opened: 0, slowestOpenMs: 0, onLan: 0, onLoopback: 0, loopbackFailures: 0, reachedAfterClose: 0 };

/** @param {string} host @param {Agent} agent @returns {Promise<number>} the status; rejects if the connection fails. */
const ask = (host, agent) =>
  new Promise((resolve, reject) => {
    const options = { host, port, agent, method: "POST", path: "/v1/users/session" };
    const sent = request({ ...options, headers: { "Content-Type": "application/json" } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(JSON.stringify({ appId: "demo-app", user: { phone: "+12025550100" } }));
  });

let running = true;
/** Keep-alive loopback connections never fail. */
const onLoopback = async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (running) {
    const status = await ask("127.0.0.1", agent).catch(() => 0);
    if (status === 202) seen.onLoopback++;
    else seen.loopbackFailures++;
  }
  agent.destroy();
};
/** Network connections come and go. */
const onLan = async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (running) {
    const status = await ask(LAN, agent).catch(() => 0);
    if (status === 202) seen.onLan++;
    else await sleep(1);
  }
  agent.destroy();
};
/** @returns {Promise<boolean>} whether the port is open on the network. */
const isOpen = () =>
  new Promise((resolve) => {
    const socket = connect(port, LAN);
    socket.once("connect", () => resolve(socket.destroy() !== undefined));
    socket.once("error", () => resolve(false));
  });
/** @param {boolean} open */
const setLan = (open) =>
  fetch(`${consoleUrl}/emulator/v1/lan`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ open }),
  });

const load = [onLoopback(), onLoopback(), onLan(), onLan()];
for (let round = 0; round < Number(rounds); round++) {
  const start = performance.now();
  await setLan(true);
  if (await isOpen()) seen.opened++;
  seen.slowestOpenMs = Math.max(seen.slowestOpenMs, Math.round(performance.now() - start));
  await sleep(100);
  await setLan(false);
  for (let tries = 0; tries < 5; tries++) if (await isOpen()) seen.reachedAfterClose++;
}
running = false;
await Promise.all(load);
child.kill("SIGTERM");
console.log(JSON.stringify(seen));
