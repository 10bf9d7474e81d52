/** Measures a rewind of ten changes. */
import { Client } from "./client.mjs";
import { median } from "./measure.mjs";
import { APP } from "./operations.mjs";

const CHANGES = 10;

/**
 * @param {import("./servers.mjs").Server} server Stagedoor
 * @param {string[]} ids of known users
 * @param {number} count
 * @returns {Promise<number>} ms, median
 */
export const rewindMs = async (server, ids, count) => {
  const client = new Client();
  const control = server.console ?? "";
  /** @param {string} path @param {object} body */
  const post = async (path, body) =>
    JSON.parse((await client.ask(control, "POST", `/emulator/v1/${path}`, {}, body)).body);
  /** @type {number[]} */
  const took = [];
  for (let round = 0; round < count; round++) {
    const { seq } = await post("mark", { appId: APP.appId });
    for (let n = 0; n < CHANGES; n++) {
      const userId = ids[(round * CHANGES + n) % ids.length];
      const name = `Round ${round}, change ${n}`;
      await client.ask(control, "PATCH", `/emulator/v1/profiles/${userId}?appId=${APP.appId}`, {}, { name });
    }
    const began = performance.now();
    const { changed } = await post("rewind", { appId: APP.appId, to: seq });
    took.push(performance.now() - began);
    if (changed.profiles !== Math.min(CHANGES, ids.length)) throw new Error(`Rewound ${changed.profiles} profiles.`);
  }
  client.close();
  return median(took);
};
