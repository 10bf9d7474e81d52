/** A window that cannot open says why, in a sentence with its remedy. */
import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { showWindow } from "../../tools/window.mjs";
import { useDesktop } from "./desktop.ts";

const IS_LINUX = process.platform === "linux";
const OWN_NAMESPACE = ["unshare", "--user", "--map-current-user", "--keep-caps", "sh", "-c"] as const;
/** No further user namespace can be made in it, like Ubuntu's restriction of unprivileged ones. */
const LIMIT = "echo 0 > /proc/sys/user/max_user_namespaces";
const canLimit = IS_LINUX && spawnSync("unshare", [...OWN_NAMESPACE.slice(1), LIMIT]).status === 0;

describe.skipIf(!IS_LINUX)("a window that cannot open", () => {
  const desktop = useDesktop();
  const open = (...through: string[]): Promise<string | undefined> => {
    const signal = new AbortController().signal;
    return showWindow({ binary: desktop.through(...through), consoleUrl: "http://127.0.0.1:1", signal });
  };

  test("without user namespaces names the remedy, and does not leave the sandbox out", async ({ skip }) => {
    if (!canLimit) skip("user namespaces cannot be limited here");
    const why = await open(...OWN_NAMESPACE, `${LIMIT}; exec setpriv --ambient-caps=-all --inh-caps=-all "$@"`, "sh");
    expect(why).toMatch(/^this system does not let Chromium's sandbox .* sudo sysctl -w kernel\.apparmor\S+=0$/);
  });

  test("without a display says so", async () => {
    const why = await open("env", "-u", "DISPLAY", "-u", "WAYLAND_DISPLAY");
    expect(why).toMatch(/^the display cannot be opened; check DISPLAY/);
  });
});
