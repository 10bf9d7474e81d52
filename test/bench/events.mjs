/** Measures the delay of events: from the request for a passcode to its event in the stream. */
import { get } from "node:http";
import { Client } from "./client.mjs";
import { median, quantile } from "./measure.mjs";
import { APP } from "./operations.mjs";

/**
 * @param {import("./servers.mjs").Server} server Stagedoor
 * @param {string[]} phones of known users
 * @param {number} count
 * @returns {Promise<{ medianMs: number, p99Ms: number }>} from the request to its event
 */
export const eventDelay = async (server, phones, count) => {
  /** @type {(() => void) | undefined} */
  let arrived;
  const stream = get(`${server.console}/emulator/v1/events`);
  await new Promise((resolve, reject) => {
    stream.once("error", reject);
    stream.once("response", (response) => {
      response.setEncoding("utf8");
      let text = "";
      response.on("data", (/** @type {string} */ chunk) => {
        text += chunk;
        // A new passcode is active; the one that it replaces causes an event too.
        if (/"passcode\.put".*"status":"active"/.test(text)) {
          text = "";
          arrived?.();
        } else text = text.slice(text.lastIndexOf("\n\n") + 2);
      });
      resolve(undefined);
    });
  });
  const client = new Client();
  /** @type {number[]} */
  const took = [];
  for (let i = 0; i < count; i++) {
    const seen = new Promise((resolve) => {
      arrived = () => resolve(undefined);
    });
    const began = performance.now();
    const body = { appId: APP.appId, user: { phone: phones[i % phones.length] } };
    await client.ask(server.auth, "POST", "/v1/users/session", {}, body);
    await seen;
    took.push(performance.now() - began);
  }
  client.close();
  stream.destroy();
  return { medianMs: median(took), p99Ms: quantile(took, 0.99) };
};
