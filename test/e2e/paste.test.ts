/** Pasting anything into the palette, or anywhere outside a field. */
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { ADA, drop, paste, test, useHarness } from "#test/e2e/harness.ts";

const harness = useHarness();
const ADA_ID = "3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01";
const options = (page: Page) => page.getByRole("listbox", { name: "Commands" }).getByRole("option");

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
  const page = await visit(harness.url("/codes"));
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
  const page = await visit(harness.url("/codes"));
  await choose(page, "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.", "Inspect this token");
  const dialog = page.getByRole("dialog", { name: "Pasted token" });
  await dialog.getByText("No session here has this token.").waitFor();
  await dialog.getByText("Not valid: algorithm none").waitFor();
});

test("of a text of any length the field keeps a part, and says so", async ({ visit }) => {
  const page = await visit(harness.url("/codes"));
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "A name, phone, code, id, place or command" });
  await field.waitFor();
  await page.keyboard.insertText("eyJ-".repeat(1_250_000));
  await page.getByText("A long text: only its first 20,000 characters are looked at.").waitFor();
  await page.getByText(/^Nothing found for “(?:eyJ-){20}…”\.$/).waitFor();
  expect((await field.inputValue()).length).toBe(20_000);
});

test("a request id, a session id, a user id and a passcode lead to their records", async ({ visit }) => {
  const code = await harness.sendCode(ADA);
  const { items } = (await harness.control("GET", "/requests?limit=1")).json;
  const session = (await harness.control("POST", "/sessions", { appId: "demo-app", userId: ADA_ID })).json;
  const page = await visit(harness.url("/codes"));
  await choose(page, `Emulator-Request-Id: ${items[0].id}`, "Open this request");
  await page.getByRole("region", { name: "POST /v1/users/session" }).waitFor();
  await choose(page, session.id, "Open this session");
  await page.getByRole("region", { name: "Session of Ada Lovelace" }).waitFor();
  await choose(page, ADA_ID.toUpperCase(), "Open Ada Lovelace");
  await expect.poll(() => new URL(page.url()).pathname).toContain(ADA_ID);
  await choose(page, `${code.slice(0, 3)} ${code.slice(3)}`, "Open the login of");
  await page.getByRole("region", { name: "Login of Ada Lovelace" }).waitFor();
});

const CSV = "name,phone,metadata.plan\nZoe,+12025550180,pro\nYan,+12025550181,\n";

test("fixtures as CSV, NDJSON and JSON lead to the plan of an import, and nothing is imported before", async ({
  visit,
}) => {
  const page = await visit(harness.url("/codes?app=demo-app"));
  const total = async () => (await harness.control("GET", "/profiles?appId=demo-app")).json.total;
  const before = await total();
  await paste(page, CSV);
  await page.getByText("Valid: 2 profiles.").waitFor();
  expect(await page.getByLabel("App", { exact: true }).inputValue()).toBe("demo-app");

  await page.getByRole("link", { name: "Codes" }).click();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "A name, phone, code, id, place or command" }).focus();
  await paste(page, '{"name":"Zoe","phone":"+12025550180"}\n{"phone":"+12025550181"}\n{"phone":"+12025550182"}\n');
  await page.getByText("Valid: 3 profiles.").waitFor();
  expect(await options(page).count()).toBe(0);

  await page.getByRole("link", { name: "Codes" }).click();
  await paste(page, '// users\n{ "apps": [{ "appId": "demo-app", "profiles": [{ "phone": "+12025550180" }] }] }');
  await page.getByText("Valid: 1 profile.").waitFor();
  expect(await total()).toBe(before);

  await paste(page, CSV);
  await page.getByText("Valid: 2 profiles.").waitFor();
  await page.getByRole("button", { name: "Import 2 users" }).click();
  await page.getByRole("region", { name: "Last change" }).getByText("2 profiles imported").waitFor();
  const found = (await harness.control("GET", "/profiles?appId=demo-app&q=2025550180")).json.items;
  expect(found).toEqual([expect.objectContaining({ phone: "+12025550180", metadata: { plan: "pro" } })]);
});

test("rows with errors are named by line: those of form, and those that the server finds", async ({ visit }) => {
  const page = await visit(harness.url("/codes?app=demo-app"));
  await paste(page, "name,phone,testPasscode\nZoe,+12025550180,12\nYan,x,1234,\n");
  const errors = page.getByRole("list", { name: "Errors" }).getByRole("listitem");
  await expect
    .poll(async () => (await errors.allTextContents()).map((text) => text.replace(/\s+/g, " ")))
    .toEqual([
      'line 2testPasscode: must be 4 to 10 digits (found "12")',
      expect.stringContaining("line 3phone: must be a phone number"),
    ]);
  await paste(page, "name,phone\nZoe,+12025550180\n\nYan,12\n");
  await expect.poll(() => errors.allTextContents()).toEqual([expect.stringMatching(/^line 4 ?phone: must be a phone/)]);
});

test("files and text are dropped anywhere: rows by the file's name, a token by what it is", async ({ visit }) => {
  const page = await visit(harness.url("/requests?app=demo-app"));
  expect(await drop(page, { file: "users.tsv", text: CSV.replaceAll(",", "\t") })).toEqual([true, true]);
  await page.getByText("Valid: 2 profiles.").waitFor();
  await page.getByRole("link", { name: "Codes" }).click();
  await drop(page, { text: CSV.replace("Yan", "") });
  await page.getByText("Valid: 2 profiles.").waitFor();
  await drop(page, { file: "login.json", text: '{"kind":"stagedoor-login","version":1}' });
  await page.getByText("login.json is not a whole downloaded login").waitFor();
  await drop(page, { file: "token.txt", text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.\n" });
  await options(page).filter({ hasText: "Inspect this token" }).waitFor();
});

test("pasting into a field stays there", async ({ visit }) => {
  const page = await visit(harness.url("/codes"));
  await page.keyboard.press("/");
  await page.getByRole("searchbox").waitFor();
  await paste(page, "482971");
  await expect.poll(() => options(page).count()).toBe(0);
});
