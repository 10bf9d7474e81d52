/** Opens a page in the default browser (`--open`). */
import { spawn } from "node:child_process";

/** @returns the platform's program for opening a page, and its arguments. */
const opener = (url: string, platform: NodeJS.Platform): readonly [program: string, args: readonly string[]] => {
  if (platform === "darwin") return ["open", [url]];
  // rundll32 takes the URL literally; `start` of cmd.exe would interpret an &.
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
};

/**
 * Opens a page without waiting for it.
 * @param url is visible to other users in the process list, so it must not contain a token.
 * @param shown the URL to print. @param failed called with a message if the browser cannot be opened.
 */
export const openBrowser = (
  url: string,
  shown: string,
  failed: (line: string) => void,
  platform = process.platform,
): void => {
  const [program, args] = opener(url, platform);
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => failed(`Could not open a browser (${program}). Open ${shown} yourself.`));
  child.on("exit", (status) => {
    if (status !== 0 && status !== null) failed(`${program} could not open ${shown} (status ${status}).`);
  });
  child.unref();
};
