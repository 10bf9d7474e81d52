/** `stagedoor stage --rehearse`: what it says before a show, and each thing that it finds. */
import { writeFile } from "node:fs/promises";
import { expect, test } from "vitest";
import type { Reach } from "#client/index.ts";
import { checkAddress } from "#programs/stage/rehearse.ts";
import { findBrowser } from "#server/plumbing/find-browser.ts";
import { freshPath, runAlone, send, start } from "#test/cli/support.ts";
import { NO_BROWSER } from "#test/support/browser.ts";

const WITHOUT_BROWSER = { CHROME_PATH: "/nowhere" };
const rehearse = (args: readonly string[] = [], env: Record<string, string> = WITHOUT_BROWSER) =>
  runAlone(["stage", "--rehearse", ...args], { env });

const showOf = async (profiles: readonly object[], settings: object = {}): Promise<string> => {
  const file = freshPath("show.json");
  await writeFile(file, JSON.stringify({ apps: [{ appId: "show", strategy: "phone", settings, profiles }] }));
  return file;
};
const person = (name: string, more: object = {}) => ({ name, metadata: { persona: "Is here" }, ...more });

test("without a browser it checks everything else, and says what it did not check", async () => {
  const { status, out, err } = await rehearse();
  expect({ status, err }).toEqual({ status: 0, err: "" });
  expect(out).toContain("ok    Maya Chen signs in\n");
  expect(out).toContain("ok    Tom Okafor never gets the message\n");
  expect(out).toContain("ok    Inés García is rejected: passcode_expired\n");
  expect(out).toContain("ok    Kenji Sato is rejected: passcode_exhausted\n");
  expect(out).toMatch(/^ok {4}http:\/\/127\.0\.0\.1:\d+ answers$/m);
  expect(out).toMatch(/^ok {4}https:\/\/127\.0\.0\.1:\d+ answers$/m);
  expect(out).toContain("skip  Whether words and codes fit: no Chromium");
  expect(out.endsWith("\nready\n")).toBe(true);
});

test("a person without the app's username, and a key of the show without a person, are not ready", async () => {
  const file = await showOf([person("Ann", { phone: "+12025550101" }), person("Lea", { email: "lea@example.com" })], {
    show: ["1", "Space", "7"],
  });
  const { status, out } = await rehearse(["--fixtures", file]);
  expect(status).toBe(1);
  expect(out).toContain("ok    Ann signs in\n");
  expect(out).toContain("FAIL  Lea cannot sign in: no phone\n");
  expect(out).toContain("FAIL  The show presses 7, but no person has that key\n");
  expect(out).toMatch(/not ready: 2 of \d+ checks failed\n$/);
  const json = JSON.parse((await rehearse(["--fixtures", file, "--json"])).out);
  expect(json).toMatchObject({ event: "rehearsal", ready: false });
});

test("a story that ends otherwise than told is not ready; nothing stays on the server", async () => {
  const server = await start(["--ephemeral"]);
  const api = `${server.ready.consoleUrl}/emulator/v1`;
  const fault = { match: { listener: "auth", method: "PUT", path: "/v1/users/session" }, effect: { status: 503 } };
  expect((await send("POST", `${api}/faults`, fault)).status).toBe(201);
  const { status, out } = await rehearse(["--url", server.ready.consoleUrl]);
  expect(status).toBe(1);
  expect(out).toContain("FAIL  Maya Chen fails: 503, but the story is: signs in\n");
  const { items } = await (await fetch(`${api}/apps`)).json();
  expect(items.filter(({ lease }: { lease?: object }) => lease !== undefined)).toEqual([]);
  await server.stop();
});

test("wrong sizes are refused", async () => {
  expect(await rehearse(["--size", "big"])).toMatchObject({ status: 2, out: "" });
  expect(await runAlone(["stage", "--no-open", "--size", "800x600"])).toMatchObject({ status: 2, out: "" });
});

test("an address of the QR code that does not answer is not ready, by http and by https", async () => {
  const calls = (problem: Reach["problem"], urls: string[]) => ({
    lan: {
      read: async () => ({ open: true, urls, tlsUrls: urls.map((url) => url.replace("http", "https")), addresses: [] }),
    },
    connect: {
      check: async () => ({
        total: 2,
        items: ["http://10.0.0.7:4011", "https://10.0.0.7:4011"].map((url) => {
          return { url, addresses: [], problem, instruction: problem && "A firewall may block it." };
        }),
      }),
    },
  });
  const levels = async (...given: Parameters<typeof calls>) =>
    (await checkAddress(calls(...given), true)).map(({ level }) => level);
  expect(await levels(null, ["http://10.0.0.7:4011"])).toEqual(["ok", "ok"]);
  expect(await levels("silent", ["http://10.0.0.7:4011"])).toEqual(["bad", "bad"]);
  // Opened, but without a network.
  expect((await checkAddress(calls(null, []), true)).at(-1)).toEqual({
    level: "bad",
    text: "The QR code leads nowhere: this machine has no network",
  });
});

const LONG = "Wolfeschlegelsteinhausenbergerdorff".repeat(6);

test("words that do not fit the size are not ready", { timeout: 180_000 }, async ({ skip }) => {
  const browser = findBrowser() ?? skip(NO_BROWSER);
  const env = { CHROME_PATH: browser };
  const file = await showOf([person("Ann", { phone: "+12025550101" })]);
  const good = await rehearse(["--fixtures", file, "--size", "1920x1080"], env);
  expect(good.out).toContain("ok    Ann fits 1920x1080\n");
  expect(good).toMatchObject({ status: 0, err: "" });
  const small = await rehearse(["--fixtures", file, "--size", "480x320"], env);
  expect(small.status).toBe(1);
  expect(small.out).toMatch(/FAIL {2}Ann: "Waiting for the code" is outside of the window/);
  expect(small.out).toMatch(/FAIL {2}Ann: "\d{3}" is outside of the window/);
  // The keys of the last people are cut off, not only their names.
  const metadata = { persona: "Has a story that takes more than a line. ".repeat(3) };
  const many = Array.from({ length: 7 }, (_one, at) =>
    person(`Person ${at + 1}`, { phone: `+120255501${10 + at}`, metadata }),
  );
  const full = await rehearse(["--fixtures", await showOf(many)], env);
  expect(full.status).toBe(1);
  expect(full.out).toMatch(/FAIL {2}The stage: the key "7" is cut off/);
  const long = await rehearse(["--fixtures", await showOf([person(LONG, { phone: "+12025550101" })])], env);
  expect(long.status).toBe(1);
  expect(long.out).toMatch(/FAIL {2}Wolfe.* is cut off/);
});
