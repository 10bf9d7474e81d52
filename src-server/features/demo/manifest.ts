/** The demo app: a login page that auth serves, and that only knows the auth URL. */
import { z } from "zod";
import { demoApp } from "#contract/control/demo.ts";
import { answersOk as ok, row } from "#contract/control/rows.ts";
import { optional } from "#contract/scalars.ts";

const forApp = { appId: optional(z.string(), "The app.") } as const;
const demoAppQuery = z.object({ appId: z.string().describe("The app.") });
const demo = row("auth", "/emulator/demo", {});

// biome-ignore format: the rows are a table
export const manifest = {
  routes: {
    readDemoApp: row("auth", "/emulator/app", {})("GET", "",
      "What the demo app needs to know about an app", ok(demoApp),
      { query: demoAppQuery, problems: ["unknown_record"] }),
    readDemo: demo("GET", "", "The demo app: a login for a phone to try", ok(z.string()),
      { query: z.object(forApp), isPage: true }),
    readDemoFile: demo("GET", "/:file", "A file of the demo app", ok(z.string()), { isPage: true }),
  },
  tags: {
    app: "What the demo app reads, on the auth URL.",
  },
} as const;
