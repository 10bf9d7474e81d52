import { execFile } from "node:child_process";
import { get } from "node:https";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { findings } from "./axe.ts";
import { ADA, clipboard, copiedBy, test, useHarness } from "./harness.ts";

const harness = useHarness();
const run = promisify(execFile);

describe("the connect screen", () => {
  test("shows the three URLs, each with a copy button", async ({ visit }) => {
    const page = await visit(harness.url("/setup"));
    const { authUrl, adminUrl, consoleUrl } = harness.built.ready;
    for (const [name, url] of [
      ["Auth URL", authUrl],
      ["Admin URL", adminUrl],
      ["Console URL", consoleUrl],
    ] as const) {
      await page.getByRole("list", { name: "Addresses" }).getByText(url, { exact: true }).waitFor();
      await page.getByRole("button", { name: `Copy ${name}` }).click();
      await expect.poll(() => clipboard(page)).toBe(url);
    }
  });

  test("links to the OpenAPI documents of the chosen app", async ({ visit }) => {
    const page = await visit(harness.url("/setup?app=demo-mail"));
    const { consoleUrl } = harness.built.ready;
    const links = page.getByRole("list", { name: "Addresses" }).getByRole("link");
    await links.first().waitFor();
    const urls = await links.evaluateAll((all) => all.map((link) => link.getAttribute("href") ?? ""));
    expect(urls).toEqual([
      `${consoleUrl}/openapi/auth.json?appId=demo-mail`,
      `${consoleUrl}/openapi/admin.json?appId=demo-mail`,
      `${consoleUrl}/openapi/emulator.json`,
    ]);
    for (const url of urls) expect((await (await fetch(url)).json()).openapi).toBe("3.1.0");
    await page.getByRole("button", { name: "Copy OpenAPI of sessions" }).click();
    await expect.poll(() => clipboard(page)).toBe(urls[0]);
  });

  test("shows the secret only on request, and copies it hidden", async ({ visit }) => {
    const page = await visit(harness.url("/setup"));
    await page.getByTestId("secret").waitFor();
    expect(await page.content()).not.toContain("sk_local_demo");
    await page.getByRole("button", { name: "Copy Secret" }).click();
    await expect.poll(() => clipboard(page)).toBe("sk_local_demo");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.getByTestId("secret").textContent()).toBe("sk_local_demo");
  });

  test("has commands that work as they are", async ({ visit, skip }) => {
    const curl = await run("curl", ["--version"]).catch(() => undefined);
    skip(curl === undefined, "there is no curl on this machine");
    const page = await visit(harness.url("/setup?app=demo-mail"));
    const line = (name: string): Promise<string> =>
      copiedBy(page, () => page.getByRole("button", { name: `Copy ${name}`, exact: true }).click());
    const shell = async (command: string): Promise<string> => (await run("sh", ["-c", command])).stdout;
    expect(await shell(await line("Send a code to Mary Anning"))).toContain("202 Accepted");
    const code = (await shell(await line("Read the code in a test"))).trim();
    expect(code).toMatch(/^\d{6}$/);
    const signIn = (await line("Sign in")).replace("<code>", code);
    expect(JSON.parse(await shell(signIn))).toHaveProperty("token");
    expect(JSON.parse(await shell(await line("List the profiles from your backend")))).toHaveLength(6);
  });

  test("selects the base URLs for where the app runs, in the address and by keyboard", async ({ visit }) => {
    const page = await visit(harness.url("/setup"));
    const { port } = new URL(harness.built.ready.authUrl);
    await page.getByRole("button", { name: `Copy Base URL http://127.0.0.1:${port}` }).waitFor();
    await page.getByRole("link", { name: "Android emulator" }).press("Enter");
    expect(new URL(page.url()).searchParams.get("show")).toBe("android");
    await page.getByRole("button", { name: `Copy Base URL http://10.0.2.2:${port}` }).press("Enter");
    await expect.poll(() => clipboard(page)).toBe(`http://10.0.2.2:${port}`);
    await page.getByRole("button", { name: "Copy adb command" }).press("Enter");
    await expect.poll(() => clipboard(page)).toBe(`adb reverse tcp:${port} tcp:${port}`);
    await page.getByText("<domain>10.0.2.2</domain>").waitFor();
    await page.getByText("android.permission.ACCESS_LOCAL_NETWORK").waitFor();
    await page.getByRole("link", { name: "iOS simulator" }).press("Enter");
    await page.getByText("NSAllowsLocalNetworking").waitFor();
    expect(await page.getByText("network_security_config").count()).toBe(0);
    await page.getByRole("link", { name: "Phone" }).press("Enter");
    await page.getByRole("switch", { name: "Allow devices on this network", checked: false }).waitFor();
  });

  const BODY = '{"session":{"clientId":"shaped","phone":"+12025550199"}}';
  test("has snippets in the app's request shape", async ({ visit }) => {
    const created = await harness.control("POST", "/apps", {
      appId: "shaped",
      settings: { wire: { envelope: "session", appIdField: "clientId", userField: null, passcodeField: "otp" } },
    });
    expect(created.status).toBe(201);
    const page = await visit(harness.url("/setup?app=shaped&show=android"));
    const { port } = new URL(harness.built.ready.authUrl);
    for (const [language, ask, sign] of [
      ["fetch", BODY, '"otp":code'],
      ["Swift", BODY, '"otp":"\\#(code)"'],
      ["Kotlin", BODY, '"otp":"$code"'],
      ["Dart", BODY, '"otp":"$code"'],
      ["React Native", "Platform.select", '"otp":code'],
    ] as const) {
      await page.getByRole("link", { name: language, exact: true }).click();
      const text = await copiedBy(page, () => page.getByRole("button", { name: `Copy ${language} snippet` }).click());
      expect(text).toContain(sign);
      expect(text).toContain(ask);
      expect(text).toContain(`http://10.0.2.2:${port}`);
    }
    expect(new URL(page.url()).pathname).toBe("/setup/react-native");
    expect(new URL(page.url()).searchParams.get("show")).toBe("android");
  });

  test("opens local network access and https with a switch, and shows what to trust", async ({ visit, skip }) => {
    const { addresses } = (await harness.control("GET", "/lan")).json;
    skip(addresses.length === 0, "this machine has no address but its own");
    const page = await visit(harness.url("/setup?show=phone"));
    await page.getByTestId("open").getByText("The local network is closed").waitFor();
    const lan = page.getByRole("switch", { name: "Allow devices on this network" });
    await lan.click();
    await expect.poll(async () => (await harness.control("GET", "/lan")).json.urls.length).toBeGreaterThan(0);
    const [url] = (await harness.control("GET", "/lan")).json.urls;
    await page.getByRole("img", { name: `QR code of ${url}/emulator/hello?appId=demo-app` }).waitFor();
    await page
      .getByTestId("open")
      .getByText(`Open: ${new URL(url).host}`)
      .waitFor();
    await page.getByRole("switch", { name: "Serve auth over HTTPS" }).click();
    await expect.poll(async () => (await harness.control("GET", "/tls")).json.on).toBe(true);
    const tls = (await harness.control("GET", "/tls")).json;
    await page.getByText(tls.ca.fingerprint256).waitFor();
    await page.getByRole("button", { name: `Copy Base URL ${tls.lanUrls[0]}` }).waitFor();
    await page.getByText("No HTTPS requests yet").waitFor();
    await page.getByText("@raw/stagedoor_ca").waitFor();
    const pem = await copiedBy(page, () => page.getByRole("button", { name: "Copy certificate" }).click());
    expect(pem).toBe(tls.ca.pem);
    expect(await findings(page)).toEqual([]);
    // The test machine may have an address that a private authority must not sign.
    const status = await new Promise((resolve, reject) => {
      get(`${tls.lanUrls[0]}/livez`, { ca: tls.ca.pem, agent: false, checkServerIdentity: () => undefined }, (answer) =>
        resolve(answer.statusCode),
      ).on("error", reject);
    });
    expect(status).toBe(200);
    await page.getByTestId("trust").getByText("trusts the certificate").waitFor();
    await lan.click();
    await expect.poll(async () => (await harness.control("GET", "/lan")).json.open).toBe(false);
    await page.getByRole("img", { name: /QR code/ }).waitFor({ state: "detached" });
    await page.getByRole("switch", { name: "Serve auth over HTTPS" }).click();
    await page.getByRole("heading", { name: "Plain http" }).waitFor();
  });

  test("says how to fix a failed request", async ({ visit }) => {
    const page = await visit(harness.url("/setup"));
    await page.getByTestId("reach").getByText("No requests").waitFor();
    await harness.auth("POST", "/v1/users/session", { appId: "demo-ap", user: { phone: ADA } });
    await page.getByTestId("refused").getByText("demo-app").first().waitFor();
    await harness.sendCode(ADA);
    await page.getByTestId("reach").getByRole("link", { name: "Read it in Codes" }).click();
    await expect.poll(() => page.getByTestId("code").count()).toBe(1);
  });

  test("says, live, when a client has connected", async ({ visit }) => {
    // Earlier requests do not count; the words for that come with the first response.
    await harness.sendCode(ADA);
    const page = await visit(harness.url("/setup"));
    const check = page.getByTestId("reach");
    await check.getByText("No requests since this page was opened").waitFor();
    await harness.sendCode(ADA);
    await check.getByText("A client on this machine has connected").waitFor();
    await check.getByText("POST /v1/users/session 202").waitFor();
    await check.getByText("Node.js").waitFor();
  });
});

const open = useHarness(() => ["--ephemeral", "--lan"]);

test("with local network access: QR code, this machine's URLs, and which device connected", async ({ visit, skip }) => {
  const { lan } = (await open.control("GET", "/status")).json.urls;
  skip(lan.length === 0, "this machine has no address but its own");
  const page = await visit(open.url("/setup?show=phone"));
  await page.getByRole("img", { name: `QR code of ${lan[0]}/emulator/hello?appId=demo-app` }).waitFor();
  await page.getByRole("button", { name: `Copy Base URL ${lan[0]}` }).waitFor();
  await page.getByText("LAN open").waitFor();
  // As a phone's app would begin.
  await fetch(`${lan[0]}/v1/users/session`, {
    headers: { "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0) Version/26.0 Safari/604.1" },
  });
  const check = page.getByTestId("reach");
  await check.getByText("A device has connected").waitFor();
  await check.getByText("Safari, iPhone").waitFor();
  await check.getByText(`from ${new URL(lan[0]).hostname}`).waitFor();
});
