/**
 * Whatever the server keeps beyond a request is in the account of shares, or is bounded in another way. The
 * fields that keep something are found by folder; a new one fails until somebody has thought about how much it can be.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { KEPT } from "#contract/control/shares.ts";

const ROOT = new URL("../../src-server/", import.meta.url);
/** The rooms whose objects live as long as the server. */
const ROOMS = ["advice", "http", "features", "store", "boot"];
/** A field of a class, or a map that follows apps, that begins empty and fills. */
const FIELD =
  /^ {2}(?:readonly )?(#\w+)(?:: [^\n]*?)? = (?:new (?:Map|Set|WeakMap|Recent)\b|\[\])|^ {2}const (\w+) = new WeakMap\b/gm;

const counted = (...kinds: readonly (keyof typeof KEPT)[]): string => `counted as ${kinds.join(", ")}`;

/** Each folder: how many such fields its files have, and how much they can be. */
const KEPT_IN: Readonly<Record<string, readonly [count: number, bound: string]>> = {
  advice: [1, "names and posts, bounded there"],
  boot: [6, "the names and addresses of this machine; bounded: connections"],
  "features/devices/delivery": [
    3,
    "bounded there, by number of passcodes; one text for each kind of device, and its build",
  ],
  "features/failures/coverage": [2, counted("coverage")],
  "features/failures/faults": [7, `${counted("faults")}; one for each app, scenario and message under way`],
  http: [9, "bounded: clients, kinds of failures, heavyRequests, connections; one for each leased app or loaned key"],
  "http/bodies": [2, "bounded: bodiesBytes"],
  "http/events": [5, `${counted("streams")}; bounded: eventBytes`],
  "http/guards": [1, counted("limits")],
  "http/traffic": [3, `${counted("log")}; one for each login under way`],
  store: [10, `${counted("timeline")}; bounded: timelineAllTransactions; what goes with a call; three timers`],
  "store/disk": [1, "the files of the lock"],
  "store/index": [6, counted("profiles", "passcodes", "sessions", "connections", "settings")],
};

/** How many there are, by folder. */
const found: Record<string, number> = {};
for (const room of ROOMS)
  for (const name of readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: "utf8" })) {
    const file = `${room}/${name.replaceAll("\\", "/")}`;
    const fields = name.endsWith(".ts") ? [...readFileSync(new URL(file, ROOT), "utf8").matchAll(FIELD)].length : 0;
    const folder = file.slice(0, file.lastIndexOf("/"));
    if (fields > 0) found[folder] = (found[folder] ?? 0) + fields;
  }

test("each field that keeps something is counted in the account of shares, or bounded", () => {
  expect(found).toEqual(Object.fromEntries(Object.entries(KEPT_IN).map(([folder, [count]]) => [folder, count])));
});
