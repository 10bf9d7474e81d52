import { afterEach, beforeEach } from "vitest";
import { type Built, startBuilt, temporaryDir } from "./built.ts";

/** A data directory per test, and the servers that it starts there; both are removed after the test. */
export const useBuilt = () => {
  let data: Awaited<ReturnType<typeof temporaryDir>> | undefined;
  let server: Built | undefined;
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("not started yet");
    return value;
  };
  beforeEach(async () => {
    data = await temporaryDir();
  });
  afterEach(async () => {
    await server?.stop("SIGKILL");
    await data?.remove();
  });
  return {
    get dir(): string {
      return there(data).dir;
    },
    get server(): Built {
      return there(server);
    },
    /** Starts on the directory. @param args more options of `start`. */
    start: async (...args: string[]): Promise<void> => {
      server = await startBuilt(["--data", there(data).dir, ...args]);
    },
  };
};
