/** Writes a fixture file with a given number of profiles, the same for each server. */
import { writeFileSync } from "node:fs";
import { APP } from "./operations.mjs";

/** @param {number} i @returns a UUID that only depends on i */
const uuidOf = (i) => `00000000-0000-4000-8000-${i.toString(16).padStart(12, "0")}`;
/** @param {number} i */
const phoneOf = (i) => `+1202${5_000_000 + i}`;

/**
 * @param {string} file the path to write
 * @param {number} count of profiles
 * @returns {import("./operations.mjs").Users}
 */
export const writeFixtures = (file, count) => {
  const profiles = Array.from({ length: count }, (_, i) => ({
    userId: uuidOf(i),
    name: `User ${i}`,
    phone: phoneOf(i),
    email: `user${i}@example.com`,
    metadata: { plan: i % 3 === 0 ? "pro" : "free", favoriteColor: "violet", seats: i % 7 },
  }));
  const app = { appId: APP.appId, name: "Bench", secret: APP.secret, strategy: "phone", profiles };
  writeFileSync(file, JSON.stringify({ version: 1, apps: [app] }));
  // Spread over the whole list, so that caches do not favour a small part of it.
  const order = Array.from({ length: count }, (_, i) => (i * 7_919) % count);
  return { ids: order.map(uuidOf), phones: order.map(phoneOf), signedUp: 0 };
};
