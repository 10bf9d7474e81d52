/** `stagedoor/testing` as published: its source would pull in the whole server. */
declare module "stagedoor/testing" {
  import type { StartStagedoor } from "stagedoor/client";

  export const startStagedoor: StartStagedoor;
}
