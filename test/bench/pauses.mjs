/** Measures how long Stagedoor's event loop is blocked while it writes its document file, with Node's own histogram. */
import { monitorEventLoopDelay } from "node:perf_hooks";

// Preloaded into the server (`node --import`): on exit prints to stderr how long its event loop was blocked.
const RESOLUTION_MS = 1;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });

// Excludes the start, which is measured separately.
process.on("SIGUSR2", () => {
  delay.enable();
  delay.reset();
});
process.on("exit", () => {
  // The histogram includes the interval of its own timer.
  const ms = (/** @type {number} */ ns) => Math.max(0, ns / 1e6 - RESOLUTION_MS);
  process.stderr.write(`${JSON.stringify({ heldMs: { p99: ms(delay.percentile(99)), max: ms(delay.max) } })}\n`);
});
