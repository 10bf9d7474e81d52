/**
 * The one line that a started server prints with `--json` (CONTRACT 7); the desktop shell reads it.
 */
import { z } from "zod";

/** @see parseReadyLine */
export const readyLine = z.object({
  event: z.literal("ready"),
  pid: z.int(),
  adminUrl: z.url(),
  authUrl: z.url(),
  consoleUrl: z.url(),
  dataDir: z.string(),
});
/** Where a started server is. */
export type Ready = z.infer<typeof readyLine>;

/** @param line a line of the server's standard output. @returns where it is, or undefined if this is not the ready line. */
export const parseReadyLine = (line: string): Ready | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  const parsed = readyLine.safeParse(value);
  return parsed.success ? parsed.data : undefined;
};
