/** The handlers of the console listener, by resource; features have the others. */
import type { Deps } from "../deps.ts";
import type { KernelHandlers } from "../handler.ts";
import { createAppHandlers } from "./control-apps.ts";
import { createControlClockHandlers } from "./control-clock.ts";
import { createControlConnectionHandlers } from "./control-connections.ts";
import { createControlPasscodeHandlers } from "./control-passcodes.ts";
import { createControlProfileHandlers } from "./control-profiles.ts";
import { createControlRequestHandlers } from "./control-requests.ts";
import { createControlSessionHandlers } from "./control-sessions.ts";
import { createControlStateHandlers, type ReadFixturesNow } from "./control-state.ts";

/** @param readFixtures returns the fixtures for a reset. @returns the handlers of the console listener. */
export const createConsoleHandlers = (deps: Deps, readFixtures: ReadFixturesNow): KernelHandlers<"console"> => ({
  ...createAppHandlers(deps),
  ...createControlProfileHandlers(deps),
  ...createControlPasscodeHandlers(deps),
  ...createControlSessionHandlers(deps),
  ...createControlConnectionHandlers(),
  ...createControlRequestHandlers(deps),
  ...createControlStateHandlers(deps, readFixtures),
  ...createControlClockHandlers(deps),
});
