/** https to an http port, and http to an https port: said once, answered where that can be done, and named by the client. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import type { RunningServer } from "#server/server.ts";
import { startInProcess } from "../hosts/in-process.ts";

const lines: string[] = [];
let server: RunningServer;
beforeAll(async () => {
  server = await startInProcess({ config: { tls: true }, log: (line) => lines.push(line) });
});
afterAll(() => server.close());

const said = async (words: RegExp): Promise<number> => {
  await expect.poll(() => lines.join("\n")).toMatch(new RegExp(words, "m"));
  return lines.filter((line) => words.test(line)).length;
};

test("TLS to an http port is one line, however often it comes", async () => {
  const { admin, auth, console: consoleUrl } = server.urls;
  for (const url of [auth, auth, admin, consoleUrl])
    await expect(fetch(url.replace("http:", "https:"))).rejects.toThrow("fetch failed");
  expect(
    await said(
      /^A client spoke TLS to auth, which is http\. Use http:\/\/127\.0\.0\.1:\d+\. For https, start with --tls\.$/,
    ),
  ).toBe(1);
  expect(await said(/^A client spoke TLS to admin, which is http\./)).toBe(1);
  expect(await said(/^A client spoke TLS to the console, which is http\./)).toBe(1);
});

test("plain http to the https port is answered, and one line", async () => {
  const url = String(server.authTlsUrl);
  for (const _ of [1, 2]) {
    const answer = await fetch(url.replace("https:", "http:"));
    expect(answer.status).toBe(400);
    expect((await answer.json()).instruction).toBe(`This port is https. Use ${url}.`);
  }
  expect(await said(/^A client spoke plain http to auth, whose port \d+ is https\./)).toBe(1);
});

test("the client names a console URL with the wrong scheme", async () => {
  const consoleUrl = server.urls.console;
  await expect(connect(consoleUrl.replace("http:", "https:")).status()).rejects.toThrow(
    `That port is http: use ${consoleUrl}`,
  );
});
