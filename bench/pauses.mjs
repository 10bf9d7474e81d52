/**
 * What holds Stagedoor's event loop: seen from inside by Node's own histogram, while it writes its document file.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

// Preloaded into the server (`node --import`): says on standard error, at its end, how long its event loop was held.
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// What the start costs is another figure.
process.on("SIGUSR2", () => {
  delay.enable();
  delay.reset();
});
process.on("exit", () => {
  // The histogram counts the interval of its own timer as well.
  const ms = (/** @type {number} */ ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  process.stderr.write(`${JSON.stringify({ heldMs: { p99: ms(delay.percentile(99)), max: ms(delay.max) } })}\n`);
});
