/** Lost responses in the console: the session that nobody got, and the requests that lost and repeated it. */
import { describe, expect } from "vitest";
import { findings } from "#test/e2e/axe.ts";
import { ADA, rowWith, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();

const set = async (effect: object): Promise<void> => {
  const fault = { match: { method: "PUT" }, effect, times: 1 };
  expect((await harness.control("POST", "/faults", fault)).status).toBe(201);
};

describe("a session whose response was lost", () => {
  test("is marked, in its row and its detail, which leads to the request", async ({ visit }) => {
    const page = await visit(harness.url("/users/sessions"));
    expect((await harness.signIn(ADA, await harness.sendCode(ADA))).status).toBe(200);
    await rowWith(page, "Ada Lovelace").getByText("left").waitFor();
    expect(await page.getByText("lost", { exact: true }).count()).toBe(0);
    const code = await harness.sendCode(ADA);
    await set({ status: 504, after: true });
    expect((await harness.signIn(ADA, code)).status).toBe(504);
    const row = rowWith(page, "Ada Lovelace").filter({ has: page.getByText("lost", { exact: true }) });
    await row.getByRole("link").click();
    const panel = page.getByRole("region", { name: "Session of Ada Lovelace" });
    await panel.getByText("lost: the app never received this session").waitFor();
    expect(await findings(page)).toEqual([]);
    await panel.getByRole("link", { name: "View request" }).click();
    await page.getByText("status 200; the client got 504").waitFor();
    expect(await findings(page)).toEqual([]);
  });

  test("and of a PUT that came twice, the second leads to the first", async ({ visit }) => {
    const code = await harness.sendCode(ADA);
    await set({ twice: true });
    expect((await harness.signIn(ADA, code)).status).toBe(401);
    const page = await visit(harness.url("/requests"));
    await page.getByText("carried out: 200").waitFor();
    const [second, first] = (await harness.control("GET", "/requests?limit=2")).json.items;
    expect(second.repeats).toBe(first.id);
    await page.goto(harness.url(`/requests/${second.id}`));
    await page.getByRole("link", { name: "View first request" }).click();
    await page.waitForURL(new RegExp(first.id));
    await page.getByText("status 200; the client got no response").waitFor();
  });
});
