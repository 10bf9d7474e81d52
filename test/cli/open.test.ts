/** `start --open`: what the opener of the system is given. */
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshPath, start } from "./support.ts";

/** A stand-in for the opener of a Linux desktop. @returns its folder, and the arguments that it was given. */
const opener = async () => {
  const [bin, opened] = [freshPath("bin"), freshPath("opened")];
  await mkdir(bin);
  const script = `#!/bin/sh\necho "$@" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`;
  await writeFile(join(bin, "xdg-open"), script);
  await chmod(join(bin, "xdg-open"), 0o755);
  const words = async (): Promise<string> => {
    await expect.poll(() => readFile(opened, "utf8").catch(() => "")).not.toBe("");
    return (await readFile(opened, "utf8")).trim();
  };
  return { PATH: `${bin}:${process.env["PATH"]}`, words };
};

test.skipIf(process.platform !== "linux")(
  "A13: --open tells the browser's opener a code that works once, not the access token",
  async () => {
    const { PATH, words } = await opener();
    const server = await start(["--open", "--console-host", "127.0.0.1", "--ephemeral", "--json"], { PATH });
    const { accessToken = "none", consoleUrl } = server.ready;
    const address = await words();
    expect(address.startsWith(`${consoleUrl}/?access_code=`)).toBe(true);
    expect(address).not.toContain(accessToken);
    const cmdline = await readFile(`/proc/${server.ready.pid}/cmdline`, "utf8");
    expect(cmdline).not.toContain(accessToken);
    const first = await fetch(address, { redirect: "manual" });
    const [pair = ""] = (first.headers.get("Set-Cookie") ?? "").split(";");
    expect((await fetch(`${consoleUrl}/emulator/v1/status`, { headers: { Cookie: pair } })).status).toBe(200);
    expect((await fetch(address, { redirect: "manual" })).status).toBe(401);
    await server.stop();
  },
);

test.skipIf(process.platform !== "linux")(
  "--open opens the console; a browser that cannot be had is a line",
  async () => {
    const { PATH, words } = await opener();
    const server = await start(["--open", "--data", freshPath()], { PATH });
    expect(await words()).toBe(server.ready.consoleUrl);
    await server.stop();
    const without = await start(["--open", "--json", "--data", freshPath()], { PATH: freshPath("nowhere") });
    await expect.poll(() => without.err()).toContain("Could not open a browser");
    await without.stop();
  },
);
