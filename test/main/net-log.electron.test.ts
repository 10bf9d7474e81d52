/** Nothing leaves the machine: Chromium's own log of a run through every screen, in real Electron. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { SCREENS } from "#contract/control/screens.ts";
import { startBuilt } from "#test/hosts/built.ts";
import { patiently, useDesktop } from "./desktop.ts";

const netLog = z.object({
  events: z.array(
    z.object({
      params: z.looseObject({ url: z.string().exactOptional(), host: z.string().exactOptional() }).exactOptional(),
    }),
  ),
});

const desktop = useDesktop();

/** @returns the hosts of all addresses and look-ups in a log. */
const hostsIn = (text: string): string[] => {
  const { events } = netLog.parse(JSON.parse(text));
  const urls = events.flatMap(({ params }) => params?.url ?? []).filter((url) => /^(https?|wss?):/.test(url));
  const lookedUp = events.flatMap(({ params }) => params?.host ?? []);
  const names = lookedUp.map((host) => (host.includes("://") ? new URL(host).host : host));
  return [...new Set([...urls.map((url) => new URL(url).host), ...names])];
};

test("in a run through every screen nothing but the console is asked for", async () => {
  const server = await startBuilt(["--ephemeral"]);
  const log = join(desktop.home, "tmp/net.json");
  try {
    const shell = await desktop.launch(`--console-url=${server.ready.consoleUrl}`, `--log-net-log=${log}`);
    const page = await shell.firstWindow();
    // What is typed may become a form's draft, which asks before the page is left: here it need not.
    await page.addInitScript(() =>
      window.addEventListener("beforeunload", (event) => event.stopImmediatePropagation()),
    );
    for (const screen of SCREENS) {
      await page.goto(`${server.ready.consoleUrl}/${screen}`);
      // Chromium asks for a dictionary when there is text to check; outside a field, letters are keys of the console.
      await page.evaluate(() => document.querySelector("input")?.focus());
      if (await page.evaluate(() => document.activeElement instanceof HTMLInputElement))
        await page.keyboard.type("speling");
    }
    await shell.close();
  } finally {
    await server.stop();
  }
  const text = await patiently(async () => {
    const found = await readFile(log, "utf8");
    JSON.parse(found);
    return found;
  });
  const { host, hostname } = new URL(server.ready.consoleUrl);
  const own = [host, hostname, new URL(server.ready.authUrl).host];
  const hosts = hostsIn(text);
  expect(hosts).toContain(host);
  expect(hosts.filter((host) => !own.includes(host))).toEqual([]);
});
