/**
 * What Node runs in the single executable: the program, with V8's code cache of a run that has served a login
 * (`cache.cjs`). Node's own `useCodeCache` has only what is compiled before a run, and forbids `import()`.
 */
const { getAsset, getRawAsset } = require("node:sea");
const { Script } = require("node:vm");

const cachedData = new Uint8Array(getRawAsset("program.cache"));
const script = new Script(getAsset("program.js", "latin1"), {
  filename: process.execPath,
  // Empty if the executable was built on another system: V8 then compiles.
  cachedData: cachedData.length > 0 ? cachedData : undefined,
});
script.runInThisContext()(require, module, exports, process.execPath);
module.exports.ended.catch((/** @type {unknown} */ error) => {
  console.error(error);
  process.exit(1);
});
