/** Pasting anything into the palette, or anywhere outside a field (CONTRACT 20). */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { ADA, test, useHarness } from "./harness.ts";

const harness = useHarness();
const ADA_ID = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const options = (page: Page) => page.getByRole("listbox", { name: "Commands" }).getByRole("option");

/** Pastes like Ctrl V, without the system's clipboard, into what has the focus. */
const paste = (page: Page, text: string): Promise<void> =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", pasted);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    (document.activeElement ?? document.body).dispatchEvent(event);
  }, text);

const choose = async (page: Page, text: string, title: string): Promise<void> => {
  await paste(page, text);
  await options(page).filter({ hasText: title }).waitFor();
  await page.keyboard.press("Enter");
};

const wrong = async (id: string, defect: string): Promise<string> =>
  (await harness.control("POST", `/sessions/${id}/token`, { defect })).json.token;

test("a token says whose it is, whether it is valid, and how it differs from a good one", async ({ visit }) => {
  const { id } = (await harness.control("POST", "/sessions", { appId: "demo-app", userId: ADA_ID })).json;
  const { token } = (await harness.control("POST", `/sessions/${id}/token`, {})).json;
  const page = await visit(harness.url("/inbox"));
  await choose(page, `Authorization: Bearer ${token}`, "Inspect this token");
  const dialog = page.getByRole("dialog", { name: "Pasted token" });
  await dialog.getByText("Valid: the session is active").waitFor();
  await dialog.getByText("Its claims are those of this session.").waitFor();
  await dialog.getByText("Ada Lovelace").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await choose(page, await wrong(id, "wrongAudience"), "Inspect this token");
  await expect.poll(() => dialog.getByRole("listitem").allTextContents()).toEqual([expect.stringMatching(/^aud/)]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await choose(page, await wrong(id, "unknownKid"), "Inspect this token");
  await dialog.getByText("Not valid: unknown kid").waitFor();
  await dialog.getByRole("link", { name: "View session" }).click();
  await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
});

test("a token of elsewhere is said to be unknown", async ({ visit }) => {
  const page = await visit(harness.url("/inbox"));
  await choose(page, "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "Inspect this token");
  const dialog = page.getByRole("dialog", { name: "Pasted token" });
  await dialog.getByText("No session here has this token.").waitFor();
  await dialog.getByText("Not valid: algorithm none").waitFor();
});

test("a request id, a session id, a user id and a passcode lead to their records", async ({ visit }) => {
  const code = await harness.sendCode(ADA);
  const { items } = (await harness.control("GET", "/requests?limit=1")).json;
  const session = (await harness.control("POST", "/sessions", { appId: "demo-app", userId: ADA_ID })).json;
  const page = await visit(harness.url("/inbox"));
  await choose(page, `Emulator-Request-Id: ${items[0].id}`, "Open this request");
  await page.getByRole("region", { name: "POST /v1/users/session" }).waitFor();
  await choose(page, session.id, "Open this session");
  await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
  await choose(page, ADA_ID.toUpperCase(), "Open Ada Lovelace");
  await expect.poll(() => new URL(page.url()).pathname).toContain(ADA_ID);
  await choose(page, `${code.slice(0, 3)} ${code.slice(3)}`, "Open the login of");
  await page.getByRole("region", { name: `Code ${code}` }).waitFor();
});

test("a curl command over several lines is edited and sent", async ({ visit }) => {
  await harness.sendCode(ADA);
  const page = await visit(harness.url("/requests"));
  const url = `${harness.built.ready.authUrl}/v1/users/session`;
  const body = '{"appId": "demo-app", "user": {"phone": "+12025550101"}}';
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Find a command or a user" }).waitFor();
  await choose(
    page,
    `curl ${url} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`,
    "Edit and resend POST",
  );
  const dialog = page.getByRole("dialog", { name: "Edit and resend" });
  await expect.poll(() => dialog.getByLabel("Body").inputValue()).toBe(body);
  await dialog.getByRole("button", { name: "Send" }).click();
  await page.getByRole("region", { name: "POST /v1/users/session" }).waitFor();
  const { json } = await harness.control("GET", "/requests?limit=1");
  expect(json.items[0]).toMatchObject({ status: 202, request: { body } });
});

test("pasting into a field stays there", async ({ visit }) => {
  const page = await visit(harness.url("/inbox"));
  const search = page.getByLabel("Search codes and users");
  await search.focus();
  await paste(page, "482971");
  await expect.poll(() => options(page).count()).toBe(0);
});
