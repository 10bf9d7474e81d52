// Loaded into each Node that an explored command starts: turns off the retries of test runners, and notes what was started.
const { appendFileSync } = require("node:fs");
const vm = require("node:vm");
const { isMainThread } = require("node:worker_threads");

const [, script = "", ...args] = process.argv;
const path = script.replaceAll("\\", "/");
const add = (option) => {
  const end = args.indexOf("--");
  process.argv.splice(end < 0 ? process.argv.length : end + 2, 0, option);
};

if (isMainThread && !path.includes("/node_modules/"))
  try {
    // biome-ignore lint/style/noProcessEnv: it is loaded by other programs
    appendFileSync(`${process.env.STAGEDOOR_EXPLORE}log`, `${JSON.stringify([path, ...args])}\n`);
  } catch {
    // The exploration has ended.
  }
if (
  isMainThread &&
  args[0] === "test" &&
  /\/(\.bin\/playwright|playwright\/cli\.js|@playwright\/test\/cli\.js)$/.test(path)
)
  add("--retries=0");
if (isMainThread && /\/(\.bin\/vitest|vitest\/vitest\.mjs)$/.test(path)) add("--retry=0");
if (/\/jest/.test(path)) {
  // Where jest.retryTimes writes its number.
  const { createContext } = vm;
  const none = { get: () => 0, set: () => undefined, configurable: true };
  vm.createContext = (...given) => Object.defineProperty(createContext(...given), Symbol.for("RETRY_TIMES"), none);
}
