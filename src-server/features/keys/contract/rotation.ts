import { z } from "zod";
import { optional } from "#contract/scalars.ts";
import { KEY_ALGORITHMS } from "#contract/service/token-claims.ts";

/** Body of a rotation. */
export const rotateInput = z.strictObject({
  algorithm: optional(z.enum(KEY_ALGORITHMS), "Default: that of apps without token.algorithm."),
});
