/** `stagedoor/testing` as the package has it: its own source would bring the whole server with it. */
declare module "stagedoor/testing" {
  import type { StartStagedoor } from "stagedoor/client";

  export const startStagedoor: StartStagedoor;
}
