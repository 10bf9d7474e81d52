/** What a visited page can do in a real browser, judged by what it reads and what it changes. */
import { createServer, type Server } from "node:http";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { listen } from "#test/hosts/listen.ts";
import { harness, until } from "#test/http/control/support.ts";
import { type EventStream, openEvents } from "#test/http/events/event-stream.ts";
import { portOf } from "#test/http/guards/raw.ts";
import { launchBrowser, NO_BROWSER } from "#test/support/browser.ts";
import { findBrowser } from "#test/support/find-browser.ts";

const at = harness();
const { control, app } = at;

/** Runs in the page: attacks the console in every way it can, and returns what it could read. */
const attack = async (base: string): Promise<string[]> => {
  const api = `${base}/emulator/v1`;
  const read: string[] = [];
  const settle = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const tryRead = async (what: string, init: RequestInit, path = "/passcodes"): Promise<void> => {
    try {
      const response = await fetch(api + path, init);
      const text = await response.text();
      if (response.ok && text !== "") read.push(`${what}: ${text.slice(0, 80)}`);
    } catch {
      // Refused, as it should be.
    }
  };
  const evil = JSON.stringify({ appId: `evil-${Math.random()}`, seconds: 77 });
  const json = { "Content-Type": "application/json" };
  await tryRead("plain GET", {});
  await tryRead("GET with credentials", { credentials: "include" });
  await tryRead("no-cors GET", { mode: "no-cors" });
  await tryRead("OpenAPI", {}, "/../../openapi/control.json");
  await tryRead("HEAD", { method: "HEAD" });
  await tryRead("text/plain POST", { method: "POST", mode: "no-cors", body: evil }, "/apps");
  await tryRead(
    "text/plain POST of a call without a body",
    { method: "POST", mode: "no-cors" },
    "/apps/demo-app/secret",
  );
  await tryRead("clock", { method: "POST", mode: "no-cors", body: evil }, "/clock/advance");
  await tryRead("JSON POST", { method: "POST", headers: json, body: evil }, "/apps");
  await tryRead("DELETE", { method: "DELETE" }, "/state");
  await tryRead("PUT", { method: "PUT", headers: json, body: '{"offsetSeconds":77}' }, "/clock");
  navigator.sendBeacon(`${api}/apps`, new Blob([evil], { type: "text/plain" }));

  const form = (target: string, action: string, name: string, value: string): void => {
    const frame = document.createElement("iframe");
    frame.name = target;
    const element = document.createElement("form");
    Object.assign(element, { action, method: "post", enctype: "text/plain", target });
    const field = document.createElement("input");
    Object.assign(field, { name, value });
    element.append(field);
    document.body.append(frame, element);
    element.submit();
  };
  // As text/plain a form sends name=value, which is JSON here.
  form("one", `${api}/apps`, '{"appId":"evil-form","name":"', '"}');
  form("two", `${api}/clock/advance`, '{"seconds":77,"x":"', '"}');

  const image = new Image();
  image.src = `${api}/apps/demo-app/secret`;
  const script = document.createElement("script");
  document.body.append(image);
  try {
    script.src = `${api}/passcodes`;
    document.body.append(script);
  } catch {
    // In the console's own page, which requires Trusted Types.
  }
  const frame = document.createElement("iframe");
  frame.src = base;
  document.body.append(frame);

  const events = new EventSource(`${api}/events`);
  events.onmessage = (event) => read.push(`event: ${String(event.data).slice(0, 80)}`);
  events.onopen = () => read.push("the event stream opened");
  await settle(400);
  events.close();
  if (frame.contentWindow?.length !== 0) read.push("the frame has frames");
  try {
    const text = frame.contentDocument?.body.textContent ?? "";
    if (text !== "" && !text.includes("Misdirected Request")) read.push(`frame: ${text}`);
  } catch {
    // Cross-origin, as it should be.
  }
  return read;
};

/** Serves an empty page for the attack. */
const page = (): Server =>
  createServer((_req, res) => {
    res.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>hostile</title><body>");
  });

const skipped = findBrowser() === undefined && process.env["STAGEDOOR_REQUIRE_BROWSER"] !== "1";

describe("a hostile page", () => {
  beforeEach(({ skip }) => skip(skipped, NO_BROWSER));
  let [browser, host, events]: [Browser | undefined, Server | undefined, EventStream | undefined] = [
    undefined,
    undefined,
    undefined,
  ];
  let port = 0;
  beforeAll(async () => {
    if (skipped) return;
    host = page();
    port = await listen(host);
    // Like browsers without Local Network Access, which is not our protection.
    browser = await launchBrowser([
      "--host-resolver-rules=MAP evil.example 127.0.0.1",
      "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
    ]);
    events = await openEvents(at.server.urls.console);
    const { profile, ask } = await app();
    await ask((await profile({ name: "Top Secret" })).phone);
  });
  afterAll(async () => {
    events?.close();
    await browser?.close();
    host?.close();
  });

  const effects = async () => ({
    state: (await control("GET", "/state?volatile=1")).text,
    seq: (await control("GET", "/status")).json.seq,
    clock: (await control("GET", "/clock")).json.offsetSeconds,
    events: events?.events.filter(
      ({ type }) => type !== "request.put" && type !== "client.put" && type !== "failure.first",
    ).length,
  });
  const visit = async (url: string, run: (page: Page) => Promise<string[]>): Promise<string[]> => {
    const context = await browser?.newContext();
    if (context === undefined) throw new Error("there is no browser");
    const tab = await context.newPage();
    try {
      await tab.goto(url);
      return await run(tab);
    } finally {
      await context.close();
    }
  };
  const consoleUrl = (name = "127.0.0.1") => `http://${name}:${portOf(at.server.urls.console)}`;

  test.each([
    ["another port of this machine", () => `http://localhost:${port}/`, "localhost"],
    ["another port, by address", () => `http://127.0.0.1:${port}/`, "127.0.0.1"],
    ["another host", () => `http://evil.example:${port}/`, "127.0.0.1"],
    ["a data: URL", () => "data:text/html,<body>", "localhost"],
    ["another host that calls localhost", () => `http://evil.example:${port}/`, "localhost"],
  ])("on %s reads nothing and changes nothing", async (_, url, target) => {
    const before = await effects();
    expect(await visit(url(), (tab) => tab.evaluate(attack, consoleUrl(target)))).toEqual([]);
    expect(await effects()).toEqual(before);
  });

  test("without an origin (sandboxed frame) reads nothing and changes nothing", async () => {
    const before = await effects();
    const read = await visit(`http://evil.example:${port}/`, async (tab) => {
      const source = `<script>(${attack.toString()})(${JSON.stringify(consoleUrl())}).then((read) => parent.postMessage({ origin, read }, "*"))</script>`;
      return await tab.evaluate(
        (html) =>
          new Promise<string[]>((resolve) => {
            addEventListener("message", ({ data }) => resolve([data.origin, ...data.read]));
            const frame = document.createElement("iframe");
            frame.setAttribute("sandbox", "allow-scripts allow-forms");
            frame.srcdoc = `<body>${html}`;
            document.body.append(frame);
          }),
        source,
      );
    });
    expect(read).toEqual(["null"]);
    expect(await effects()).toEqual(before);
  });

  test("that rebinds its name to this machine reads nothing and changes nothing", async () => {
    const before = await effects();
    const rebound = consoleUrl("evil.example");
    const read = await visit(`${rebound}/livez`, async (tab) => {
      // For the browser, the page now has the console's own origin.
      expect(await tab.evaluate(() => origin)).toBe(rebound);
      return await tab.evaluate(attack, rebound);
    });
    expect(read).toEqual([]);
    expect(await effects()).toEqual(before);
  });

  test("cannot attack admin either, even with a secret", async () => {
    const { secret, appId } = await app();
    const before = await effects();
    const read = await visit(`http://localhost:${port}/`, (tab) =>
      tab.evaluate(
        async ([base, known]) => {
          const seen: string[] = [];
          for (const method of ["GET", "POST"]) {
            const init = { method, headers: { Authorization: `Bearer ${known}`, "Content-Type": "application/json" } };
            await fetch(`${base}/v1/profiles`, { ...init, ...(method === "POST" ? { body: "{}" } : {}) })
              .then(async (response) => seen.push(await response.text()))
              .catch(() => undefined);
          }
          return seen;
        },
        [at.server.urls.admin, secret] as const,
      ),
    );
    expect(read).toEqual([]);
    expect(await effects()).toEqual(before);
    expect((await control("GET", `/profiles?appId=${appId}`)).json.total).toBe(0);
  });

  test("succeeds as the console's own page: only the guards stop the others", async () => {
    const before = await effects();
    const read = await visit(consoleUrl(), (tab) => tab.evaluate(attack, consoleUrl()));
    expect(read.join("\n")).toContain("plain GET");
    expect(read).toContain("the event stream opened");
    await until(effects, ({ seq }) => seq > before.seq);
  });
});
