/** What pages of others can do to the stage and its phone: judged by what they hear, and by what changes. */
import { createServer, type Server } from "node:http";
import type { Frame, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { ADA, test, useHarness } from "#test/e2e/harness.ts";
import { listen } from "#test/hosts/listen.ts";

const harness = useHarness();
let server: Server;
let port = 0;
beforeAll(async () => {
  server = createServer((_req, res) => {
    res.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>hostile</title><body>");
  });
  port = await listen(server);
});
afterAll(() => server.close());

const demo = () => `${harness.built.ready.authUrl}/emulator/demo/?appId=demo-app`;
/** All that the console may tell its phone, and the phone the console. */
const FORGED = [
  { stage: 1, type: "hello", theme: "dark" },
  { stage: 1, type: "user", username: ADA, everyMs: 0 },
  { stage: 1, type: "submit" },
  { stage: 1, type: "state", state: "signedIn", requestId: null, asksCode: false },
  { stage: 1, type: "key", key: "Space" },
];

/** Runs in the hostile page: frames an address, posts to it, and listens. @returns what it heard or read. */
const frameIt = async ([url, sandbox, forged]: readonly [string, string | null, readonly object[]]): Promise<
  string[]
> => {
  const heard: string[] = [];
  addEventListener("message", ({ data }) => heard.push(JSON.stringify(data)));
  const frame = document.createElement("iframe");
  if (sandbox !== null) frame.setAttribute("sandbox", sandbox);
  frame.src = url;
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve));
  document.body.append(frame);
  await loaded;
  for (const message of forged) frame.contentWindow?.postMessage(message, "*");
  if (frame.contentWindow?.length !== 0) heard.push("it has frames");
  try {
    heard.push(frame.contentDocument?.body.textContent ?? "");
  } catch {
    // Of another origin: as it should be.
  }
  return heard.filter((text) => text !== "");
};

/** Runs in the hostile page: keeps what it hears. */
const keepHeard = (): void => {
  Reflect.set(window, "heard", []);
  addEventListener("message", ({ data }) => Reflect.get(window, "heard").push(data));
};

describe("a page of another origin", () => {
  test.for([
    ["localhost", null],
    ["127.0.0.1", null],
    ["localhost", "allow-scripts allow-forms"],
    ["127.0.0.1", "allow-scripts allow-same-origin allow-forms"],
  ] as const)(
    "that frames the phone or the stage from %s, sandbox %s, shows and hears nothing",
    async ([host, sandbox], { newPage }) => {
      for (const url of [demo(), harness.url("/stage")]) {
        const page = await newPage();
        await page.goto(`http://${host}:${port}/`);
        expect(await page.evaluate(frameIt, [url, sandbox, FORGED] as const)).toEqual([]);
        const frame = page.frames()[1];
        // The phone's policy leaves a page of the browser's own, with scripts in a full Chromium; the console answers nobody.
        if (url === demo()) expect(await frame?.evaluate(() => location.href)).toBe("chrome-error://chromewebdata/");
        else expect(await frame?.locator("main, header, input, iframe, script").count()).toBe(0);
      }
      expect((await harness.control("GET", "/requests")).json.total).toBe(0);
      expect((await harness.control("GET", "/apps")).json.total).toBe(2);
    },
  );

  test("that opens them in windows has no hold of the stage, and the phone does not listen", async ({ newPage }) => {
    const page = await newPage();
    await page.goto(`http://localhost:${port}/`);
    await page.evaluate(keepHeard);
    for (const url of [harness.url("/stage"), demo()]) {
      const popup = page.waitForEvent("popup");
      await page.evaluate((at) => Reflect.set(window, "other", window.open(at)), url);
      const opened = await popup;
      const isStage = url !== demo();
      if (isStage) await opened.locator('main[data-state="idle"]').waitFor();
      else await opened.getByLabel("Phone number").waitFor();
      // The console's pages have no opener, and are gone for whoever opened them.
      expect(await opened.evaluate(() => window.opener === null)).toBe(isStage);
      expect(await page.evaluate(() => Reflect.get(window, "other").closed)).toBe(isStage);
      await page.evaluate((forged) => {
        for (const message of forged) Reflect.get(window, "other").postMessage(message, "*");
      }, FORGED);
      if (isStage) await opened.close();
      else expect(await opened.getByLabel("Phone number").inputValue()).toBe("");
    }
    expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
    expect((await harness.control("GET", "/requests")).json.total).toBe(0);
  });
});

describe("the other guards, when one is missing", () => {
  /** Takes the policies away that keep others out. */
  const withoutPolicy = (page: Page, url: string): Promise<unknown> =>
    page.route(url, async (route) => {
      const response = await route.fetch();
      const { "content-security-policy": _, ...headers } = response.headers();
      await route.fulfill({ response, headers });
    });
  test("the phone does not answer a page that frames it without its policy", async ({ newPage }) => {
    const page = await newPage();
    await withoutPolicy(page, demo());
    await page.goto(`http://127.0.0.1:${port}/`);
    await page.evaluate(keepHeard);
    await page.evaluate((url) => {
      document.body.append(Object.assign(document.createElement("iframe"), { src: url }));
    }, demo());
    const field = page.frameLocator("iframe").getByLabel("Phone number");
    await field.waitFor();
    await page.evaluate((forged) => {
      for (const message of forged) window.frames[0]?.postMessage(message, "*");
    }, FORGED);
    // A task of the frame, which comes after those messages.
    await field.evaluate(() => new Promise((resolve) => setTimeout(resolve)));
    expect(await field.inputValue()).toBe("");
    expect(await page.evaluate(() => Reflect.get(window, "heard"))).toEqual([]);
  });

  test("no other page takes the phone's place", async ({ newPage }) => {
    const page = await newPage();
    await page.goto(harness.url("/stage"));
    await page.locator('main[data-state="idle"]').waitFor();
    await page.locator("iframe").evaluate((frame, src) => frame.setAttribute("src", src), `http://127.0.0.1:${port}/`);
    await expect.poll(() => page.frames()[1]?.url()).toMatch(/^chrome-error:/);
  });
});

/** @returns an empty frame inside another one: of the same origin, but another source. */
const childOf = async (frame: Frame): Promise<Frame> => {
  const at = frame.childFrames().length;
  await frame.evaluate(() => document.body.append(document.createElement("iframe")));
  await expect.poll(() => frame.childFrames().length).toBe(at + 1);
  const child = frame.childFrames()[at];
  if (child === undefined) throw new Error("there is no frame");
  return child;
};

describe("a message of the right origin from the wrong window", () => {
  const phoneOf = async (page: Page): Promise<Frame> => {
    await page.locator('main[data-state="idle"]').waitFor();
    const phone = page.frames().find((frame) => frame.url().startsWith(harness.built.ready.authUrl));
    if (phone === undefined) throw new Error("there is no phone");
    return phone;
  };

  test("moves neither the phone nor the stage; from the right one it does", async ({ newPage }) => {
    const page = await newPage();
    await page.goto(harness.url("/stage"));
    const phone = await phoneOf(page);
    const stateOf = () => page.locator("main[data-state]").getAttribute("data-state");
    const field = phone.getByLabel("Phone number");

    const besidePhone = await childOf(page.mainFrame());
    const insidePhone = await childOf(phone);
    const { origin } = new URL(phone.url());
    for (const [from, index] of [
      [besidePhone, 0],
      [insidePhone, 0],
    ] as const)
      await from.evaluate(
        ([forged, at]) => {
          for (const message of forged) {
            window.top?.frames[at]?.postMessage(message, "*");
            window.top?.postMessage(message, "*");
          }
        },
        [FORGED, index] as const,
      );
    // What comes later has been read only after what came before.
    await page.evaluate(
      (target) => window.frames[0]?.postMessage({ stage: 1, type: "theme", theme: "light" }, target),
      origin,
    );
    await phone.locator('html[data-theme="light"]').waitFor();
    expect(await field.inputValue()).toBe("");
    expect(await stateOf()).toBe("idle");

    const [, user] = FORGED;
    await page.evaluate(([target, message]) => window.frames[0]?.postMessage(message, target), [origin, user] as const);
    await expect.poll(() => field.inputValue()).toBe("+1 202 555 0100");
  });
});
