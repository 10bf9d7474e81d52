/** Opens a page in the default browser (`--open`). */
import { spawn } from "node:child_process";

/** The platform's program for opening a page, and its arguments before the URL. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [program: string, argument: string]>> = {
  darwin: ["open", ""],
  // rundll32 takes the URL literally; `start` of cmd.exe would interpret an &.
  win32: ["rundll32", "url.dll,FileProtocolHandler"],
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
  const [program, argument] = OPENERS[platform] ?? ["xdg-open", ""];
  const child = spawn(program, argument === "" ? [url] : [argument, url], { stdio: "ignore", detached: true });
  child.on("error", () => failed(`Could not open a browser (${program}). Open ${shown} yourself.`));
  child.on("exit", (status) => {
    if (status !== 0 && status !== null) failed(`${program} could not open ${shown} (status ${status}).`);
  });
  child.unref();
};
