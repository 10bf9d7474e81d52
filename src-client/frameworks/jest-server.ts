/** The process that `stagedoor/jest` starts: an emulator that exits with its parent, however that ends. */
import type { Stagedoor } from "stagedoor/client";
import { startStagedoor } from "stagedoor/testing";
import type { JestOptions, ServerMessage } from "./jest.ts";

const answer = (message: ServerMessage): void => void process.send?.(JSON.stringify(message));
let stagedoor: Stagedoor | undefined;

process.once("message", async (text) => {
  const options: JestOptions = JSON.parse(String(text));
  try {
    stagedoor = await startStagedoor(options);
    const { adminUrl, authUrl, consoleUrl, notices } = stagedoor;
    answer({ ready: { adminUrl, authUrl, consoleUrl, notices } });
  } catch (error) {
    answer({ failed: error instanceof Error ? error.message : String(error) });
    process.disconnect();
  }
});
process.once("disconnect", () => void stagedoor?.close());
