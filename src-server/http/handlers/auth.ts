/** All handlers of the auth listener. */
import type { Deps } from "../deps.ts";
import type { KernelHandlers } from "../handler.ts";
import { createDiscoveryHandlers } from "./discovery.ts";
import { createSessionHandlers } from "./sessions.ts";

/** @returns the handlers of the auth listener. */
export const createAuthHandlers = (deps: Deps): KernelHandlers<"auth"> => ({
  ...createSessionHandlers(deps),
  ...createDiscoveryHandlers(deps),
});
