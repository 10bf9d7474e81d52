/** The URLs at which others reach the listeners, set at run time. */
import { z } from "zod";
import { optional } from "#contract/scalars.ts";

/** It has no path, which would have to be in every link. */
const baseUrl = z
  .string()
  .regex(/^https?:\/\/[^/?#@\s]+\/?$/, "must be an http or https URL without a path, such as http://localhost:49154");

const given = (listener: string) =>
  optional(baseUrl.nullable(), `Where others reach ${listener}; null: the URL that listens. Absent: as before.`);

/** Body of PUT public-urls. */
export const publicUrlsInput = z.strictObject({
  admin: given("admin"),
  auth: given("auth"),
  console: given("the console"),
});

const three = z.object({ admin: z.string(), auth: z.string(), console: z.string() });

/** The public URLs, and those that listen. */
export const publicUrls = z.object({
  urls: three.describe("What tokens, links, pages and phones get."),
  listening: three.describe("The URLs on the machine or in the container that Stagedoor runs on."),
});
