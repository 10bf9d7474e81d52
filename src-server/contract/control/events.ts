/** Server-sent events of the control API: one for each change. */
import { z } from "zod";
import { FEATURE_EVENT_TYPES } from "#features/parts.ts";
import { flag } from "../scalars.ts";
import { ofApp } from "../service/apps.ts";

/** Event types: a record was stored or removed, a request was logged, and so on. */
// biome-ignore format: a list
const eventType = z.enum([
  "app.put", "app.remove", "profile.put", "profile.remove", "passcode.put", "passcode.remove", "passcode.devices",
  "session.put", "session.remove", "connection.put", "connection.remove", "clock.put",
  "snapshot.put", "snapshot.remove", "state.put", "request.put", "lan.put", "client.put",
  "history", "failure.first", ...FEATURE_EVENT_TYPES, "resync",
]);

/** Parameters of the stream: those that a browser's EventSource cannot send as a header, and a filter. */
export const eventQuery = ofApp.extend({
  hidden: flag().describe("`1`: those of hidden apps as well."),
  lastEventId: z.string().exactOptional().describe("As the header Last-Event-ID, which it overrides if both are sent."),
});
export type EventQuery = z.infer<typeof eventQuery>;

/** The data of one event. */
export const eventData = z.object({
  type: eventType,
  appId: z.string().nullable(),
  seq: z.int(),
  item: z.unknown().describe("By the type: see Event in docs/control-api.md, or its schema in /openapi/emulator.json."),
});
export type EventData = z.infer<typeof eventData>;

/** An event as published; without `seq` it takes that of the store. */
export type EventInput = Pick<EventData, "type" | "appId" | "item"> & Partial<Pick<EventData, "seq">>;
/** Publishes an event. Returns immediately and never throws. */
export type Publish = (event: EventInput) => void;
