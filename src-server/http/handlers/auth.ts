/** All handlers of the auth listener. */
import type { Deps } from "../deps.ts";
import type { KernelHandlers } from "../handler.ts";
import type { ReadFile } from "../ui.ts";
import { createDemoHandlers } from "./demo.ts";
import { createDiscoveryHandlers } from "./discovery.ts";
import { createHelloHandlers } from "./hello.ts";
import { createSessionHandlers } from "./sessions.ts";

/** @param readDemo reads a file of the built demo app. @returns the handlers of the auth listener. */
export const createAuthHandlers = (deps: Deps, readDemo: ReadFile): KernelHandlers<"auth"> => ({
  ...createSessionHandlers(deps),
  ...createDiscoveryHandlers(deps),
  ...createHelloHandlers(deps),
  ...createDemoHandlers(deps, readDemo),
});
