import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { clipboard, test, useStage } from "./stage.ts";

const stage = useStage();
const run = promisify(execFile);

describe("connect", () => {
  test("shows the three URLs, each with its copy", async ({ visit }) => {
    const page = await visit(stage.url("/connect"));
    const { authUrl, adminUrl, consoleUrl } = stage.built.ready;
    for (const [name, url] of [
      ["Auth URL", authUrl],
      ["Admin URL", adminUrl],
      ["Console URL", consoleUrl],
    ] as const) {
      await page.getByText(url, { exact: true }).waitFor();
      await page.getByRole("button", { name: `Copy ${name}` }).click();
      await expect.poll(() => clipboard(page)).toBe(url);
    }
  });

  test("shows the secret only when asked, and copies it hidden", async ({ visit }) => {
    const page = await visit(stage.url("/connect"));
    await page.getByTestId("secret").waitFor();
    expect(await page.content()).not.toContain("sk_local_demo");
    await page.getByRole("button", { name: "Copy Secret" }).click();
    await expect.poll(() => clipboard(page)).toBe("sk_local_demo");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.getByTestId("secret").textContent()).toBe("sk_local_demo");
  });

  test("has lines that work as they stand", async ({ visit, skip }) => {
    const curl = await run("curl", ["--version"]).catch(() => undefined);
    skip(curl === undefined, "there is no curl on this machine");
    const page = await visit(stage.url("/connect?app=demo-mail"));
    const line = async (name: string): Promise<string> => {
      await page.getByRole("button", { name: `Copy ${name}`, exact: true }).click();
      await page
        .getByRole("button", { name: `Copy ${name}`, exact: true })
        .getByText("Copied")
        .waitFor();
      return await clipboard(page);
    };
    const shell = async (command: string): Promise<string> => (await run("sh", ["-c", command])).stdout;
    expect(await shell(await line("Send a code to Mary Anning"))).toContain("202 Accepted");
    const code = (await shell(await line("Read the code, as a test would"))).trim();
    expect(code).toMatch(/^\d{6}$/);
    const signIn = (await line("Sign in with it")).replace("<code>", code);
    expect(JSON.parse(await shell(signIn))).toHaveProperty("token");
    expect(JSON.parse(await shell(await line("List the profiles, as your backend would")))).toHaveLength(6);
  });
});
