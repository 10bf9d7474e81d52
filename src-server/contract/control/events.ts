/** Server-sent events of the control API, one for each change: each type with its item. */
import { z } from "zod";
import { featureEvents, namesOfTable } from "#features/parts.ts";
import { flag } from "../scalars.ts";
import { appItem, ofApp } from "../service/apps.ts";
import { connectionItem } from "../service/connections.ts";
import { passcodeItem } from "../service/passcodes.ts";
import { profileItem } from "../service/profiles.ts";
import { sessionItem } from "../service/sessions.ts";
import { clientItem } from "./clients.ts";
import { clockItem } from "./clock.ts";
import { lanItem } from "./network.ts";
import { firstFailure, requestItem } from "./requests.ts";
import { snapshotItem } from "./snapshots.ts";

const removed = z.object({ id: z.string() });
const seq = z.int();
/** More happened than one event says. */
const reload = z.null();

const ITEMS = {
  "app.put": appItem,
  "app.remove": z.object({ appId: z.string() }),
  "profile.put": profileItem,
  "profile.remove": z.object({ userId: z.string() }),
  "passcode.put": passcodeItem,
  "passcode.remove": removed,
  "passcode.devices": z.object({ id: z.string(), devices: passcodeItem.shape.devices }),
  "session.put": sessionItem,
  "session.remove": removed,
  "connection.put": connectionItem,
  "connection.remove": removed,
  "clock.put": clockItem,
  "snapshot.put": snapshotItem,
  "snapshot.remove": z.object({ name: z.string() }),
  "state.put": reload.describe("Many changes at once: read everything again."),
  "request.put": requestItem
    .omit({ request: true, response: true })
    .extend({ more: seq })
    .describe("The newest row, without bodies; `more` is the number of further rows."),
  "lan.put": lanItem,
  "client.put": clientItem,
  history: z.object({ seq }).describe("Something was done in a window of the console."),
  "failure.first": firstFailure,
  ...featureEvents,
  resync: reload.describe("Events were missed: read everything again."),
} as const;

/** Parameters of the stream: those that a browser's EventSource cannot send as a header, and a filter. */
export const eventQuery = ofApp.extend({
  hidden: flag().describe("`1`: those of hidden apps as well."),
  lastEventId: z.string().exactOptional().describe("As the header Last-Event-ID, which it overrides if both are sent."),
});
export type EventQuery = z.infer<typeof eventQuery>;

/** The data of one event. */
export const eventData = z.object({
  type: z.enum(namesOfTable(ITEMS)),
  appId: z.string().nullable(),
  seq: z.int(),
  item: z.unknown().describe("By the type: see Event in docs/control-api.md, or its schema in /openapi/emulator.json."),
});
export type EventData = z.infer<typeof eventData>;

/** An event as published; without `seq` it takes that of the store. */
export type EventInput = Pick<EventData, "type" | "appId" | "item"> & Partial<Pick<EventData, "seq">>;
/** Publishes an event. Returns immediately and never throws. */
export type Publish = (event: EventInput) => void;

/** @returns the data of an event: `type` determines `item`. */
export const eventOfType = () =>
  z.xor(Object.entries(ITEMS).map(([type, item]) => z.object({ ...eventData.shape, type: z.literal(type), item })));
