/** The built demo app: its size, and that it works in browsers of five years ago. */
import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { transformWithOxc } from "vite";
import { expect } from "vitest";
import demo from "../../tools/config/vite.demo.config.ts";
import { ADA, test, useHarness } from "./harness.ts";

const harness = useHarness();
const FOLDER = new URL("../../dist/server/demo/", import.meta.url);
const read = async (name: string): Promise<string> => await readFile(new URL(name, FOLDER), "utf8");

test("it is under 20 kB compressed, and under 60 kB with its fonts", async () => {
  const sizes = new Map<string, number>();
  for (const name of await readdir(FOLDER)) sizes.set(name, gzipSync(await readFile(new URL(name, FOLDER))).length);
  const page = (await harness.auth("GET", "/emulator/demo/?appId=demo-app")).text;
  sizes.set("index.html", gzipSync(page).length);
  const all = [...sizes.values()].reduce((sum, size) => sum + size);
  expect([...sizes.keys()].sort()).toEqual(["demo-ext.woff2", "demo.css", "demo.js", "demo.woff2", "index.html"]);
  const fonts = (sizes.get("demo.woff2") ?? 0) + (sizes.get("demo-ext.woff2") ?? 0);
  expect(all - fonts).toBeLessThan(20_000);
  expect(all).toBeLessThan(60_000);
});

test("its script and style sheet have no newer syntax than the oldest browsers that it is built for", async () => {
  const target = demo.build?.target;
  expect(target).toEqual(["chrome96", "safari15", "firefox94"]);
  const printed = async (code: string, to: string | string[]) =>
    (await transformWithOxc(code, "demo.js", { target: to, sourcemap: false })).code;
  const older = (code: string) => printed(code, ["chrome96", "safari15", "firefox94"]);
  const script = await read("demo.js");
  expect(await older(script)).toBe(await printed(script, "esnext"));
  // The comparison sees newer syntax.
  const newer = "class A { static { A.b = 1; } }";
  expect(await older(newer)).not.toBe(await printed(newer, "esnext"));
  expect(await read("demo.css")).not.toMatch(
    /:has\(|light-dark\(|@container|\d(cq|d|s|l)v?[iwhb]\b|color-mix\(|@layer|&/,
  );
});

/** What Chrome 96, Safari 15.0 or Firefox 94 lack, and what only secure contexts have: a phone comes by http. */
const MISSING = {
  Object: ["hasOwn", "groupBy"],
  Map: ["groupBy"],
  Promise: ["withResolvers", "try"],
  URL: ["canParse", "parse"],
  AbortSignal: ["timeout", "any"],
  Intl: ["DurationFormat"],
  "Array.prototype": ["at", "findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with"],
  "String.prototype": ["at", "isWellFormed", "toWellFormed"],
  "Element.prototype": ["checkVisibility", "setHTML", "showPopover"],
  "Crypto.prototype": ["subtle", "randomUUID"],
  "Navigator.prototype": ["clipboard", "credentials", "serviceWorker", "storage", "locks", "mediaDevices", "wakeLock"],
  window: ["structuredClone", "caches", "cookieStore", "scheduler", "ViewTransition"],
};

test("a login without anything that old browsers and plain http lack", async ({ open }) => {
  const page = await open(`${harness.built.ready.authUrl}/livez`);
  await page.addInitScript((missing) => {
    const remove = (of: string, names: readonly string[]): void => {
      const holder: unknown = of.split(".").reduce<unknown>((at, key) => Reflect.get(Object(at), key), window);
      for (const name of names) Reflect.deleteProperty(Object(holder), name);
    };
    for (const [of, names] of Object.entries(missing)) remove(of, names);
  }, MISSING);
  await page.goto(`${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`);
  expect(
    await page.evaluate(() => ["at" in [], "hasOwn" in Object, "subtle" in crypto, "clipboard" in navigator]),
  ).toEqual(Array(4).fill(false));
  await page.getByLabel("Phone number").fill(ADA);
  await page.getByRole("button", { name: "Continue" }).click();
  const code = page.getByLabel("Code", { exact: true });
  await code.waitFor();
  await code.fill(
    (await harness.control("GET", `/passcodes/latest?to=${encodeURIComponent(ADA)}&wait=30000`)).json.code,
  );
  await page.getByText("24 hours").waitFor();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in or sign up" }).waitFor();
});

test("a notch and the home indicator cover nothing", async ({ open }) => {
  const page = await open(`${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`);
  const device = await page.context().newCDPSession(page);
  const notch = { top: 59, bottom: 34, left: 40, right: 40 };
  await device.send("Emulation.setDeviceMetricsOverride", {
    width: 390,
    height: 844,
    deviceScaleFactor: 3,
    mobile: true,
  });
  await device.send("Emulation.setSafeAreaInsetsOverride", { insets: notch });
  await page.reload();
  const first = page.getByText("Demo", { exact: true });
  await first.waitFor();
  expect((await first.boundingBox())?.y).toBeGreaterThanOrEqual(notch.top);
  const button = await page.getByRole("button", { name: "Continue" }).boundingBox();
  expect([button?.x, button?.width]).toEqual([notch.left, 390 - notch.left - notch.right]);
});

test("with the keyboard open the field and its button stay in sight", async ({ open }) => {
  const page = await open(`${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`);
  await page.setViewportSize({ width: 320, height: 568 });
  await page.getByLabel("Name").focus();
  await page.setViewportSize({ width: 320, height: 290 });
  for (const part of [page.getByLabel("Name"), page.getByRole("button", { name: "Continue" })])
    await expect.poll(() => part.evaluate((one) => one.getBoundingClientRect().bottom <= innerHeight)).toBe(true);
});
