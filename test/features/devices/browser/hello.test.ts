/** The hello page and the demo app over TLS, with phone user agents, in a browser that trusts all certificates or none. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, expect } from "vitest";
import { findingsAsIs } from "#test/e2e/axe.ts";
import { ADA, testApart as test, useHarness } from "#test/e2e/harness.ts";

const caDir = mkdtempSync(join(tmpdir(), "stagedoor-hello-"));
afterAll(() => rmSync(caDir, { recursive: true }));
const harness = useHarness(() => ["--ephemeral", "--tls", "--auth-tls-port", "0", "--ca-dir", caDir]);
const IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_2 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Safari/604.1";
const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 Chrome/131.0 Mobile Safari/537.36";

/** Scans the QR code with a phone. @param trusts whether it trusts the certificate. */
const scan = async (page: Page, userAgent: string, width: number, trusts: boolean): Promise<Page> => {
  const browser = page.context().browser();
  if (browser === null) throw new Error("the page has no browser");
  const viewport = { width, height: 700 };
  const context = await browser.newContext({ userAgent, viewport, ignoreHTTPSErrors: trusts, colorScheme: "light" });
  const phone = await context.newPage();
  await phone.goto(`${harness.built.ready.authUrl}/emulator/hello?appId=demo-app`);
  return phone;
};
const clientOf = async (device: string) =>
  (await harness.control("GET", "/clients")).json.items.find((client: { device: string }) => client.device === device);

test("a phone that does not trust the certificate is told so, and the console shows it", async ({ open }) => {
  const phone = await scan(await open(`${harness.built.ready.authUrl}/livez`), ANDROID, 320, false);
  await phone.getByText(/^https does not work yet/).waitFor();
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await findingsAsIs(phone)).toEqual([]);
  await expect.poll(async () => (await clientOf("Android phone")).tlsRefusals).toBeGreaterThan(0);
  expect(await clientOf("Android phone")).toMatchObject({ http: true, https: false });
  await phone.context().close();
});

test("a phone that trusts it sees that https works, and logs in over it", async ({ open }) => {
  const phone = await scan(await open(`${harness.built.ready.authUrl}/livez`), IPHONE, 390, true);
  await phone.getByText(/^https works/).waitFor();
  await phone.getByRole("link", { name: "Open this page over https" }).click();
  await phone.getByText("This page came over https.").waitFor();
  await phone.getByRole("link", { name: "Open demo app" }).click();
  expect(new URL(phone.url()).protocol).toBe("https:");
  await phone.getByLabel("Phone number").fill(ADA);
  await phone.getByRole("button", { name: "Continue" }).click();
  await phone.getByRole("heading", { name: "Enter the code" }).waitFor();
  const { code } = (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=5000`)).json;
  await phone.getByLabel("Code").fill(code);
  await phone.getByRole("heading", { name: "Signed in" }).waitFor();
  expect(await clientOf("iPhone")).toMatchObject({ http: true, https: true, lastStatus: 200 });
  const rows = (await harness.control("GET", "/requests?limit=2")).json.items;
  expect(rows.map(({ scheme }: { scheme: string }) => scheme)).toEqual(["https", "https"]);
  await phone.context().close();
});
