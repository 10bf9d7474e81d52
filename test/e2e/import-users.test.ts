/** Import shows what becomes of each column of a file with users before anything changes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { findings } from "./axe.ts";
import { drop, paste, test, useHarness } from "./harness.ts";

const harness = useHarness();
let made = 0;
const newApp = async (strategy = "email"): Promise<string> => {
  const appId = `users-${++made}`;
  expect((await harness.control("POST", "/apps", { appId, strategy })).status).toBe(201);
  return appId;
};
const profiles = async (appId: string) => (await harness.control("GET", `/profiles?appId=${appId}`)).json.items;
const exported = (name: string): string => readFileSync(join(import.meta.dirname, "../people/exports", name), "utf8");

const rows = (page: Page) => page.getByRole("list", { name: "Columns" }).getByRole("listitem");
const field = (page: Page, column: string) => page.getByLabel(`Field of ${column}`, { exact: true });

test("a dropped export is planned, imported once, and changes nobody when it is pasted", async ({ visit }) => {
  const appId = await newApp();
  const page = await visit(harness.url(`/codes?app=${appId}`));
  await drop(page, { file: "export", text: exported("clerk.csv") });
  await page.getByText("Valid: 2 profiles. 2 new, 0 updated, 0 unchanged.").waitFor();
  const shown = (await rows(page).allTextContents()).join("\n");
  expect(shown).toContain("user_2aA");
  expect(shown).toContain("Left out: looks like a secret");
  expect(shown).toContain("Not a UUID: kept as metadata.externalId");
  expect(shown).not.toContain("XSECRETX");
  expect(await field(page, "primary_email_address").inputValue()).toBe("email");
  expect(await findings(page)).toEqual([]);
  expect(await profiles(appId)).toEqual([]);
  await page.getByRole("button", { name: "Import 2 users" }).click();
  await page.getByRole("region", { name: "Last change" }).waitFor();
  const before = await profiles(appId);
  expect(before).toMatchObject([{ email: "ida@example.com" }, { email: "alan@example.com" }]);
  await paste(page, exported("clerk.csv"));
  await page.getByText("0 new, 0 updated, 2 unchanged.").waitFor();
});

test("the field of a column, the rest and a country can be chosen", async ({ visit }) => {
  const appId = await newApp("phone");
  const page = await visit(harness.url(`/setup/data?app=${appId}`));
  await paste(page, "Full name,Line,Level\nIda,(202) 555-0121,7\n");
  await page.getByText("1 of 1 user has no phone, by which users of this app sign in.").waitFor();
  expect(await page.getByRole("button", { name: /^Import/ }).isDisabled()).toBe(true);
  await field(page, "Line").selectOption("phone");
  await page.getByText('phone: has no country code (found "(202) 555-0121")').waitFor();
  await page.getByText("Choose the country of these numbers.").waitFor();
  expect(await page.getByRole("button", { name: /^Import/ }).isDisabled()).toBe(true);
  await page.getByLabel("Country of national numbers").selectOption("US");
  await page.getByLabel("Other columns").selectOption("drop");
  await page.getByText("1 new, 0 updated, 0 unchanged.").waitFor();
  await page.getByRole("button", { name: "Import 1 user" }).press("Enter");
  await page.getByRole("region", { name: "Last change" }).waitFor();
  expect(await profiles(appId)).toMatchObject([{ name: "Ida", phone: "+12025550121", metadata: null }]);
});

test("rows that the server refuses are named by line and value", async ({ visit }) => {
  const appId = await newApp("phone");
  await harness.control("POST", "/profiles", { appId, phone: "+12025550121" });
  const page = await visit(harness.url(`/setup/data?app=${appId}`));
  const id = "00000000-0000-4000-8000-000000000001";
  await paste(page, `name,phone,id\nAl,+12025550122,\nIda,+12025550129,${id}\n`);
  await page.getByText("2 new").waitFor();
  await harness.control("POST", "/profiles", { appId, phone: "+12025550129" });
  await paste(page, `name,phone,id\nIda,+12025550121,${id}\nIda,+12025550121,\n`);
  await page.getByText("phone: is already in line 2, with another userId").waitFor();
});

test("of errors that say the same five are named; of rows that differ about a user the first can be taken", async ({
  visit,
}) => {
  const page = await visit(harness.url("/setup/data?app=demo-app"));
  const numbers = Array.from({ length: 8 }, (_, i) => `Ida ${i},(202) 555-013${i}`);
  await paste(page, ["name,phone", ...numbers].join("\n"));
  await page.getByRole("heading", { name: "8 errors to fix before importing" }).waitFor();
  expect(await page.getByRole("list", { name: "Errors" }).getByRole("listitem").count()).toBe(5);
  await page.getByText("and 3 rows more: phone has no country code").waitFor();
  const takeFirst = page.getByRole("button", { name: "Take the first of the rows that differ" });
  expect(await takeFirst.count()).toBe(0);
  const twice = "name,phone\nAda,+12025550163\nAda,+12025550163\nGrace,+12025550164\nGrace M.,+12025550164\n";
  await paste(page, twice);
  await page.getByRole("heading", { name: "1 error to fix before importing" }).waitFor();
  await takeFirst.click();
  await page.getByText("1 row left out: of rows that differ about one user, the first is taken.").waitFor();
  await page.getByText("Valid: 2 profiles.").waitFor();
});

test("a text that is none says so in one sentence", async ({ visit }) => {
  const page = await visit(harness.url("/setup/data?app=demo-app"));
  await drop(page, { file: "letter.txt", text: "Dear Ada, all is well.\nYours" });
  await page
    .getByRole("alert")
    .getByText(/^letter.txt is not a file that Stagedoor reads: fixtures, a list of users as JSON or NDJSON, or CSV/)
    .waitFor();
});

test("a row for a user who has metadata is cut to what fits, and the plan says so", async ({ visit }) => {
  const appId = await newApp();
  const keys = (name: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`${name}${at}`, "1"]));
  const metadata = keys("own", 48);
  await harness.control("POST", "/profiles", { appId, email: "ida@example.com", metadata });
  const text = `email,${Object.keys(keys("more", 5)).join(",")}\nida@example.com,1,1,1,1,1\n`;
  const page = await visit(harness.url(`/codes?app=${appId}`));
  await drop(page, { file: "more.csv", text });
  await page.getByText("Metadata of 1 existing user is cut to 50 keys and 16 KiB.").waitFor();
  await page.getByRole("button", { name: "Import 1 user" }).click();
  await page.getByRole("region", { name: "Last change" }).waitFor();
  expect((await profiles(appId))[0].metadata).toEqual({ ...metadata, more0: "1", more1: "1" });
});

test("a file that is read wrong is read again in a chosen encoding, and two files have a plan each", async ({
  visit,
}) => {
  const appId = await newApp();
  const page = await visit(harness.url(`/codes?app=${appId}`));
  await drop(page, { file: "second.csv", text: "name,email\nAda,ada@example.com\n" });
  await page.getByText("Valid: 1 profile.").waitFor();
  await drop(page, { file: "polish.csv", text: [...Buffer.from("name,email\n\xb3ucja,l@example.com\n", "latin1")] });
  await page.getByText("It is not UTF-8, and was read as Windows-1252.").waitFor();
  await page.getByText("1 other to import after this.").waitFor();
  await page.getByLabel("Encoding").selectOption("windows-1250");
  await page.getByRole("list", { name: "Stored as" }).getByText("łucja").waitFor();
  await page.getByRole("button", { name: "Import 1 user" }).click();
  await page.getByRole("heading", { name: "second.csv" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Import", exact: true }).waitFor();
  expect(await profiles(appId)).toMatchObject([{ name: "łucja" }]);
});
