/** Connections between profiles and other services (service.md 1, D14) in the control API. */
import { z } from "zod";
import { isoInstantText, textUpTo, uuidText } from "../scalars.ts";
import { namedApp, ownerOf } from "./apps.ts";

/** A connection in the control API. */
export const connectionItem = z.object({
  id: uuidText,
  ...ownerOf,
  name: z.string(),
  managed: z.boolean().describe("Managed by the service: deleting its profile disables it."),
  status: z.enum(["connected", "disabled"]),
  createdAt: isoInstantText,
  disabledAt: isoInstantText.nullable(),
});
export type ConnectionItem = z.input<typeof connectionItem>;

/** A new connection. */
export const connectionInput = z.strictObject({
  ...namedApp,
  userId: uuidText,
  name: textUpTo(255),
  managed: z.boolean().default(true),
});

/** An update of a connection: `disabled` sets `disabledAt`, `connected` clears it. */
export const connectionPatch = z.strictObject({
  name: textUpTo(255).exactOptional(),
  managed: z.boolean().exactOptional(),
  status: z.enum(["connected", "disabled"]).exactOptional(),
});
