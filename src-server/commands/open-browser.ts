/** Opens a page in the browser of the desktop (`--open`). */
import { spawn } from "node:child_process";

/** @returns the program and its arguments that open a page on a platform. */
const opener = (url: string, platform: NodeJS.Platform): readonly [program: string, args: readonly string[]] => {
  if (platform === "darwin") return ["open", [url]];
  // rundll32 takes the URL as it is; `start` of cmd.exe would read an & in it.
  if (platform === "win32") return ["rundll32", ["url.dll,FileProtocolHandler", url]];
  return ["xdg-open", [url]];
};

/**
 * Opens a page; does not wait for it.
 * @param url stands in the arguments of a process, which others on this machine can read: it must hold no token.
 * @param shown the address for people. @param failed told in words if the browser cannot be opened.
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
