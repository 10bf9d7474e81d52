/** Delivery on the server: begins once an app has opted in. */
import type { Setup } from "#http/kits.ts";
import { createDelivery } from "./in-use.ts";

/** @see the file */
export const setup: Setup<"delivery"> = ({ once }) => {
  once(createDelivery);
  return {};
};
