/** Server-sent events of the control API: one for each change. */
import { z } from "zod";
import { lazyObject } from "./lazy-object.ts";

/** Event types: a record was stored or removed, a request was logged, and so on. */
// biome-ignore format: a list
const eventType = z.enum([
  "app.put", "app.remove", "profile.put", "profile.remove", "passcode.put", "passcode.remove", "passcode.devices",
  "session.put", "session.remove", "connection.put", "connection.remove", "clock.put", "fault.put", "fault.remove",
  "snapshot.put", "snapshot.remove", "state.put", "request.put", "lan.put", "client.put", "signing-key.put",
  "signing-key.remove", "coverage.put", "rewind", "history", "resync",
]);

/** The data of one event. */
export const eventData = lazyObject(() => ({
  type: eventType,
  appId: z.string().nullable(),
  seq: z.int(),
  item: z
    .unknown()
    .describe(
      "The record as in the control API. A removal has `{id}`, of a profile `{userId}`, of a snapshot `{name}`, of a signing key `{kid}`; passcode.devices has `{id, devices}`; coverage.put has the outcome that an app met for the first time; rewind has `{appId, userId, to, seq, changed}`, of a single change `undo` in the place of `to`; history has `{seq}`: something was done in a window of the console; request.put has the newest row without bodies, and in `more` the number of further rows.",
    ),
}));
/** @see eventData */
export type EventData = z.infer<typeof eventData>;

/** An event as published; without `seq` it takes that of the store. */
export type EventInput = Pick<EventData, "type" | "appId" | "item"> & Partial<Pick<EventData, "seq">>;
/** Publishes an event. Returns immediately and never throws. */
export type Publish = (event: EventInput) => void;
