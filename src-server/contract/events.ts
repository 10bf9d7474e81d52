/** The events of the control API: what changed, as it changes. */
import { z } from "zod";

/** The kinds of event: a record put or removed, a row of the request log. */
const eventType = z.enum([
  "app.put",
  "app.remove",
  "profile.put",
  "profile.remove",
  "passcode.put",
  "passcode.remove",
  "passcode.devices",
  "session.put",
  "session.remove",
  "connection.put",
  "connection.remove",
  "clock.put",
  "fault.put",
  "fault.remove",
  "snapshot.put",
  "snapshot.remove",
  "state.put",
  "request.put",
  "lan.put",
  "client.put",
  "resync",
]);

/** The data of one event. */
export const eventData = z.object({
  type: eventType,
  appId: z.string().nullable(),
  seq: z.int(),
  item: z.unknown().meta({
    description:
      "The record as the control API shows it; of a removal `{id}`, of passcode.devices `{id, devices}`, of a profile `{userId}`, of a snapshot `{name}`; of request.put the newest row without its bodies, with `more`: how many others came with it.",
  }),
});
/** @see eventData */
export type EventData = z.infer<typeof eventData>;

/** An event as it is published; without a `seq` it gets that of the world. */
export type EventInput = Pick<EventData, "type" | "appId" | "item"> & Partial<Pick<EventData, "seq">>;
/** Publishes an event. Returns at once, and never throws. */
export type Publish = (event: EventInput) => void;
