/**
 * Whatever the server keeps beyond a request is in the account of shares, or is bounded in another way. A field
 * that keeps something is in this table, with how much it can be; a new one is not, until somebody has thought about it.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { KEPT } from "#contract/control/shares.ts";

const ROOT = new URL("../../src-server/", import.meta.url);
/** The rooms whose objects live as long as the server. */
const ROOMS = ["http", "features", "store", "boot"];
/** A field of a class, or a map that follows apps, that begins empty and fills. */
const FIELD =
  /^ {2}(?:readonly )?(#\w+)(?:: [^\n]*?)? = (?:new (?:Map|Set|WeakMap)\b|\[\])|^ {2}const (\w+) = new WeakMap\b/gm;

const counted = (...kinds: readonly (keyof typeof KEPT)[]): string => `counted as ${kinds.join(", ")}`;
const REQUEST = "goes with a request or a call";
const LISTENERS = "as many as the program has";

const KEPT_IN: Readonly<Record<string, string>> = {
  "boot/certificates.ts #names": "the names of this machine",
  "boot/certificates.ts #uncovered": "the names of this machine",
  "boot/connections.ts #asking": "bounded: connections",
  "boot/connections.ts #idle": "bounded: connections",
  "boot/network.ts #addresses": "the addresses of this machine",
  "boot/network.ts #said": "the addresses of this machine",
  "features/devices/delivery/delivery.ts #rows": "bounded there, by number of passcodes",
  "features/devices/delivery/delivery.ts #said": "one text for each kind of device",
  "features/failures/coverage/by-app.ts #byApp": counted("coverage"),
  "features/failures/coverage/by-app.ts #hidden": counted("coverage"),
  "features/failures/faults/arrivals.ts #timers": "one for each passcode under way",
  "features/failures/faults/fault-list.ts #byApp": counted("faults"),
  "features/failures/faults/fault-list.ts #byId": counted("faults"),
  "features/failures/faults/fault-list.ts #places": counted("faults"),
  "features/failures/faults/fault-room.ts #held": counted("faults"),
  "features/failures/faults/fault-room.ts #owners": counted("faults"),
  "features/failures/faults/faults.ts #scenarios": "one for each profile with a scenario",
  "features/failures/faults/faults.ts #since": counted("faults"),
  "features/failures/faults/faults.ts #strategies": "one word for each app",
  "features/failures/faults/faults.ts #untold": "until the change is durable",
  "features/failures/faults/repetitions.ts #cuts": "bounded there, and by time",
  "advice/advisor.ts #posts": "bounded there: 1,000 users",
  "advice/past-names.ts #seqs": "bounded there: 20,000 names",
  "advice/near-users.ts #byAddress": "an index of the users of an app, dropped when it changes",
  "advice/near-users.ts #plain": "an index of the users of an app, dropped when it changes",
  "http/bodies/bodies-under-way.ts #bodies": "bounded: bodiesBytes",
  "http/clients.ts #all": "bounded: clients",
  "http/clients.ts #changed": "bounded: clients",
  "http/guards/console-access.ts #made": "bounded there: 100 codes and browsers",
  "http/events/readers.ts #byApp": counted("streams"),
  "http/events/ring.ts #kept": "bounded: eventBytes",
  "http/events/sse.ts #open": counted("streams"),
  "http/events/sse.ts #rows": "for 50 ms, one for each app",
  "http/events/sse.ts #stops": LISTENERS,
  "http/first-failures.ts #known": "bounded there: kinds",
  "http/first-failures.ts #waiting": "bounded there: apps",
  "http/bodies/gathered.ts #full": REQUEST,
  "http/heavy-queue.ts #running": "bounded: heavyRequests",
  "http/heavy-queue.ts #turns": "one for each app that waits",
  "http/heavy-queue.ts #waiting": "bounded: connections",
  "http/key-loans.ts #loans": "for 90 s, by whoever checks a backend",
  "http/lookups/latest-passcode.ts #ids": counted("passcodes"),
  "http/leases.ts #byApp": "one for each leased app",
  "http/leases.ts #creators": "one for each app of the join token",
  "http/leases.ts #ended": "bounded: leases",
  "http/guards/limits.ts byApp": counted("limits"),
  "http/traffic/event-bus.ts #listeners": LISTENERS,
  "http/traffic/logins.ts #open": "bounded there: MOST",
  "http/traffic/request-log.ts #cleared": counted("log"),
  "http/traffic/request-log.ts #clearedOf": counted("log"),
  "http/traffic/request-log.ts #rows": counted("log"),
  "http/traffic/rows-by-app.ts #added": counted("log"),
  "http/traffic/rows-by-app.ts #apps": counted("log"),
  "http/lookups/waits.ts #counts": counted("waits"),
  "http/lookups/waits.ts #waiting": counted("waits"),
  "store/disk/lock-file.ts #seen": "the files of the lock",
  "store/index/app-index.ts #byUsername": counted("profiles"),
  "store/index/indexes.ts #byAppId": counted("settings"),
  "store/index/indexes.ts #bySecret": counted("settings"),
  "store/index/record-table.ts #byId": counted("profiles", "passcodes", "sessions", "connections"),
  "store/index/record-table.ts #byOwner": counted("profiles", "passcodes", "sessions", "connections"),
  "store/index/record-table.ts #late": REQUEST,
  "store/history.ts #drops": "bounded: timelineAllTransactions",
  "store/history.ts #entries": counted("timeline"),
  "store/history.ts #gone": counted("timeline"),
  "store/history.ts #items": counted("timeline"),
  "store/history.ts #shares": counted("timeline"),
  "store/publisher.ts #queue": "until the change is durable",
  "store/publisher.ts #subscribers": LISTENERS,
  "store/publisher.ts #watchers": LISTENERS,
  "store/touched.ts #keys": REQUEST,
};

const found = ROOMS.flatMap((room) =>
  readdirSync(new URL(`${room}/`, ROOT), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => `${room}/${name.replaceAll("\\", "/")}`)
    .flatMap((file) =>
      [...readFileSync(new URL(file, ROOT), "utf8").matchAll(FIELD)].map(([, field, map]) => `${file} ${field ?? map}`),
    ),
).sort();

test("each field that keeps something is counted in the account of shares, or bounded", () => {
  expect(found.length).toBeGreaterThan(40);
  expect(found.filter((one) => KEPT_IN[one] === undefined)).toEqual([]);
});
