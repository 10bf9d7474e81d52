/**
 * `node cache.cjs PROGRAM CACHE ROOT`: runs the program until it has served the page and a login, then writes V8's code
 * cache of what was compiled. Must be run by the Node of the executable.
 */
const { readFileSync, writeFileSync } = require("node:fs");
const { Script } = require("node:vm");

const [program = "", cache = "", root = ""] = process.argv.slice(2);
const script = new Script(readFileSync(program, "latin1"), { filename: process.execPath });
const ports = ["--admin-port", "0", "--auth-port", "0", "--console-port", "0"];
process.argv = [process.execPath, program, "start", "--headless", "--ephemeral", "--json", ...ports];

/** @param {string} url @param {string} [method] @param {object} [body] @returns {Promise<string>} */
const ask = async (url, method = "GET", body) => {
  const headers = { "Content-Type": "application/json", Accept: "text/plain, */*" };
  const answer = await fetch(url, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status}`);
  return await answer.text();
};

/** @param {{ authUrl: string, consoleUrl: string }} ready */
const logIn = async ({ authUrl, consoleUrl }) => {
  const login = { appId: "demo-app", user: { phone: "+12025550100" } };
  await ask(`${consoleUrl}/`);
  await ask(`${authUrl}/v1/users/session`, "POST", login);
  const passcode = (await ask(`${consoleUrl}/emulator/v1/passcodes/latest?to=%2B12025550100`)).trim();
  await ask(`${authUrl}/v1/users/session`, "PUT", { ...login, passcode });
};

process.stdout.write = (/** @type {unknown} */ line) => {
  logIn(JSON.parse(String(line))).then(
    () => {
      writeFileSync(cache, script.createCachedData());
      process.exit(0);
    },
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
  return true;
};
script.runInThisContext()(require, module, exports, `${root}/dist/server/program.js`);
