/** All handlers of the auth listener. */
import type { Deps } from "../deps.ts";
import type { Handlers } from "../handler.ts";
import { createDemoHandlers } from "./demo.ts";
import { createDiscoveryHandlers } from "./discovery.ts";
import { createHelloHandlers } from "./hello.ts";
import { createSessionHandlers } from "./sessions.ts";

/** @param demoDir the folder of the built demo app. @returns the handlers of the auth listener. */
export const createAuthHandlers = (deps: Deps, demoDir: string): Handlers<"auth"> => ({
  ...createSessionHandlers(deps),
  ...createDiscoveryHandlers(deps),
  ...createHelloHandlers(deps),
  ...createDemoHandlers(deps, demoDir),
});
