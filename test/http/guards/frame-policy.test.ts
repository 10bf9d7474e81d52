import { expect, test } from "vitest";
import { consoleNames } from "#server/boot/listen.ts";
import { harness } from "../control/support.ts";
import { portOf, send } from "./raw.ts";

const address = (text: string) => ({ name: "eth0", address: text, host: text, isLinkLocal: false });
const addresses = () => [address("192.168.1.20"), address("fd00::20")];
const own = harness();
const open = harness({ addresses, config: { consoleHost: "0.0.0.0", allowHosts: ["tunnel.example"] } });

const directive = (text: string, name: string): string[] =>
  (new RegExp(`${name} ([^;\\r]*)`).exec(text)?.[1] ?? "").split(" ").sort();
const at = (names: readonly string[], port: string, scheme = "http") =>
  names.map((name) => `${scheme}://${name}:${port}`).sort();
const demo = async ({ server }: typeof own) =>
  (await send(server.urls.auth, ["GET /emulator/demo/ HTTP/1.1", "Host: x"])).text;
const page = async ({ server }: typeof own, host = "localhost", path = "/codes") =>
  await send(server.urls.console, [
    `GET ${path} HTTP/1.1`,
    `Host: ${host}`,
    ...(server.accessToken === null ? [] : [`Authorization: Bearer ${server.accessToken}`]),
  ]);
const ports = ({ server }: typeof own) => [portOf(server.urls.auth), portOf(server.urls.console)].map(String);

test.each([
  ["on loopback", own, ["localhost", "127.0.0.1"]],
  ["open to other machines", open, ["localhost", "127.0.0.1", "192.168.1.20", "tunnel.example"]],
])("only a console %s can frame the demo app, and nothing can frame the console", async (_, which, names) => {
  const [auth = "", console = ""] = ports(which);
  expect(directive(await demo(which), "frame-ancestors")).toEqual(at(names, console));
  const { text } = await page(which);
  expect(directive(text, "frame-src")).toEqual(at(names, auth));
  expect(directive(text, "frame-ancestors")).toEqual(["'none'"]);
});

test("the console can frame auth over TLS while TLS is on", async () => {
  const { control } = own;
  const { url } = (await control("PUT", "/tls", { on: true })).json;
  const names = ["localhost", "127.0.0.1"];
  const [auth = ""] = ports(own);
  const both = [...at(names, auth), ...at(names, new URL(url).port, "https")];
  expect(directive((await page(own)).text, "frame-src")).toEqual(both);
  await control("PUT", "/tls", { on: false });
  expect(directive((await page(own)).text, "frame-src")).toEqual(at(names, auth));
});

test("pages on [::1], which no policy can name, redirect to 127.0.0.1; calls do not", async () => {
  const [, port = ""] = ports(own);
  for (const path of ["/", "/stage?appId=demo-app", "/users/sessions/some-id"]) {
    const { status, head } = await page(own, `[::1]:${port}`, path);
    expect([status, head]).toEqual([307, expect.stringContaining(`Location: http://127.0.0.1:${port}${path}\r\n`)]);
  }
  for (const path of ["/emulator/v1/status", "//evil.example/codes", "/livez"])
    expect((await page(own, `[::1]:${port}`, path)).status).not.toBe(307);
  expect(consoleNames(["::1"], [], addresses)).toEqual(["localhost"]);
});
