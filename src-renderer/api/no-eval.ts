/**
 * Imported before any schema is made: zod else compiles them with `new Function`, which the content security policy of
 * the console forbids (and reports, even though zod then does without).
 */
import { z } from "zod";

z.config({ jitless: true });
