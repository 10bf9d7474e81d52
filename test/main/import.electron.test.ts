/** Files in real Electron: every way leads to the plan in the page, and nothing is lost by quitting. */
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ElectronApplication, Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { type Built, startBuilt } from "#test/hosts/built.ts";
import { useDesktop } from "./desktop.ts";

describe("files in the window", () => {
  const desktop = useDesktop();
  let server: Built;
  let shell: ElectronApplication;
  let page: Page;

  const file = async (name: string, text: string): Promise<string> => {
    const path = join(desktop.home, name);
    await writeFile(path, text);
    return path;
  };
  beforeEach(async () => {
    server = await startBuilt(["--ephemeral"]);
    const users = await file("users.csv", "name,phone\nZoë,+12025550180\n");
    shell = await desktop.launch(`--console-url=${server.ready.consoleUrl}`, users);
    page = await shell.firstWindow();
  });
  afterEach(async () => {
    await shell.close().catch(() => {});
    await server.stop();
  });
  const plan = (name: string) => page.getByRole("heading", { name, exact: true });

  test("of the command line, a second start, as a URI, and chosen: each has its plan, and Undo", async () => {
    await plan("users.csv").waitFor();
    await page.getByRole("button", { name: "Import 1 user" }).click();
    const client = connect(server.ready.consoleUrl);
    const isThere = async () => (await client.profiles.list({ q: "2025550180" })).total;
    await expect.poll(isThere).toBe(1);
    await page.getByRole("region", { name: "Last change" }).getByRole("button", { name: "Undo" }).click();
    await expect.poll(isThere).toBe(0);

    const team = await file("my team.jsonc", '// Ours\n{ "apps": [{ "appId": "team", "name": "Team" }] }');
    const second = desktop.open(`--console-url=${server.ready.consoleUrl}`, pathToFileURL(team).href);
    expect(await once(second, "exit")).toEqual([0, null]);
    await plan("my team.jsonc").waitFor();
    await page.getByRole("list", { name: "Apps" }).getByText("new app").waitFor();

    const more = [
      await file("a.csv", "name,phone\nA,+12025550181\n"),
      await file("b.ndjson", '{"name":"B"}\n{"name":"C"}'),
    ];
    await shell.evaluate(({ dialog, Menu }, filePaths) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: false, filePaths });
      const items = Menu.getApplicationMenu()?.items.flatMap(({ submenu }) => submenu?.items ?? []) ?? [];
      items.find(({ label }) => label === "Import…")?.click();
    }, more);
    await plan("a.csv").waitFor();
    await page.getByText("2 others to import after this.").waitFor();
    for (const next of ["b.ndjson", "my team.jsonc", "Import"]) {
      await page.getByRole("button", { name: "Cancel" }).click();
      await plan(next).waitFor();
    }
  });

  test("quitting during an import asks, and the window stays", async () => {
    const asked = () => shell.evaluate(() => Reflect.get(globalThis, "asked"));
    await shell.evaluate(({ dialog }) => {
      dialog.showMessageBoxSync = (...given: unknown[]) => {
        Reflect.set(globalThis, "asked", Reflect.get(Object(given.at(-1)), "message"));
        return 1;
      };
    });
    await plan("users.csv").waitFor();
    let go = (): void => undefined;
    const held = new Promise<void>((resolve) => (go = resolve));
    await page.route(/state\?(?!.*dryRun)/, (route) => held.then(() => route.continue()));
    await page.getByRole("button", { name: "Import 1 user" }).click();
    await page.getByText(/^(Sending|Importing)/).waitFor();
    await shell.evaluate(({ app }) => app.quit());
    await expect.poll(asked).toContain("An import is running");
    go();
    await page.getByRole("region", { name: "Last change" }).waitFor();
    const ended = once(shell.process(), "exit");
    await shell.evaluate(({ app }) => app.quit()).catch(() => {});
    expect(await ended).toEqual([0, null]);
  });
});
