import { describe, expect } from "vitest";
import { ADA, clipboard, GRACE, rowWith, test, useStage } from "./stage.ts";

const stage = useStage();

const isActive = async (token: string): Promise<boolean> =>
  (await stage.control("POST", "/sessions/introspect", { token })).json.active;

describe("the sessions", () => {
  test("with none yet, say how the first one comes", async ({ visit }) => {
    const page = await visit(stage.url("/sessions"));
    await page.getByRole("heading", { name: "No sessions yet" }).waitFor();
    await page.getByText("A new number or address signs in at once").waitFor();
  });

  test("show a session as it begins; revoking it ends its token, after a second press", async ({ visit }) => {
    const page = await visit(stage.url("/sessions"));
    await page.getByText("Running", { exact: true }).waitFor();
    const { token } = await stage.signIn(ADA, await stage.sendCode(ADA));
    const row = rowWith(page, "Ada Lovelace");
    await row.getByText(/2[34] h .* left/).waitFor();
    await row.getByText("Node.js").waitFor();
    await row.getByRole("link").click();
    await page.getByRole("button", { name: "Revoke", exact: true }).click();
    expect(await isActive(token)).toBe(true);
    await page.getByRole("button", { name: "Really revoke?" }).click();
    await row.getByText("Revoked", { exact: true }).waitFor();
    expect(await isActive(token)).toBe(false);
  });

  test("copy the token, and let a session expire", async ({ visit }) => {
    const { token } = await stage.signIn(GRACE, await stage.sendCode(GRACE));
    const page = await visit(stage.url("/sessions"));
    await rowWith(page, "Grace Hopper").getByRole("link").click();
    await page.getByRole("button", { name: "Copy token c" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await clipboard(page);
    // The same claims; an ES256 signature is another each time.
    expect(copied.split(".").slice(0, 2)).toEqual(token.split(".").slice(0, 2));
    expect(await isActive(copied)).toBe(true);
    await page.getByRole("button", { name: "Expire now" }).click();
    await rowWith(page, "Grace Hopper").getByText("Expired", { exact: true }).waitFor();
    expect(await isActive(token)).toBe(false);
  });
});
