import { describe, expect, test } from "vitest";
import { baseUrls, reachedBy, secureOf, snippetUrl, targetOf } from "../../src-renderer/shared/network/targets.ts";
import { decodeToken } from "../../src-renderer/shared/session/token-parts.ts";

const URLS = {
  admin: "http://127.0.0.1:4010",
  auth: "http://127.0.0.1:4011",
  console: "http://127.0.0.1:4012",
  lan: [],
};

describe("base URLs", () => {
  test("depend on where the client runs", () => {
    expect(baseUrls(null, URLS).map(({ url }) => url)).toEqual(["http://127.0.0.1:4011"]);
    expect(baseUrls("android", URLS)).toMatchObject([
      { url: "http://10.0.2.2:4011" },
      { url: "http://127.0.0.1:4011", before: "adb reverse tcp:4011 tcp:4011" },
    ]);
    expect(baseUrls("phone", URLS)).toEqual([]);
    expect(snippetUrl("phone", URLS)).toBe("http://<address of this machine>:4011");
    expect(snippetUrl("phone", { ...URLS, lan: ["http://192.168.1.7:4011"] })).toBe("http://192.168.1.7:4011");
  });

  test("use https where it is on", () => {
    const secure = { url: "https://localhost:4013", lanUrls: ["https://192.168.1.7:4013"] };
    const urls = { ...URLS, lan: ["http://192.168.1.7:4011"] };
    expect(baseUrls("android", urls, secure)).toMatchObject([
      { url: "https://10.0.2.2:4013" },
      { url: "http://10.0.2.2:4011" },
      { before: "adb reverse tcp:4013 tcp:4013 && adb reverse tcp:4011 tcp:4011" },
    ]);
    expect(snippetUrl("phone", urls, secure)).toBe("https://192.168.1.7:4013");
    expect(snippetUrl(null, urls, secure)).toBe("https://localhost:4013");
  });

  test("are the public URL, wherever the client runs, but that of a port published elsewhere as one of this machine", () => {
    const urls = { ...URLS, auth: "https://auth.qa.example.com", lan: ["http://172.17.0.2:4011"] };
    for (const target of [null, "ios", "android", "phone"] as const)
      expect(baseUrls(target, urls).map(({ url }) => url)).toEqual(["https://auth.qa.example.com"]);
    const published = { ...URLS, auth: "http://127.0.0.1:14011" };
    expect(baseUrls("android", published)).toMatchObject([{ url: "http://10.0.2.2:14011" }, { url: published.auth }]);
    const listening = { admin: URLS.admin, auth: URLS.auth, console: URLS.console };
    const tls = { url: "https://localhost:4013", lanUrls: [] };
    expect(secureOf({ urls: URLS, listening }, tls)).toEqual(tls);
    expect(secureOf({ urls, listening }, tls)).toBeUndefined();
  });

  test("for an unknown target are those of this machine", () => expect(targetOf("toaster")).toBe(null));
});

const row = (id: string, remote: string | null) => ({ id, remote });

test.for([
  ["empty log", [], null, "nobody"],
  ["only earlier requests", [row("1", "127.0.0.1")], "1", "nobody"],
  ["from this machine since then", [row("2", "::1"), row("1", "127.0.0.1")], "1", "here"],
  ["this machine in its IPv6 form", [row("2", "::ffff:127.0.0.1")], "1", "here"],
  ["a device, however long ago", [row("2", "127.0.0.1"), row("1", "::ffff:192.168.1.9")], "2", "device"],
] as const)("shows who has connected: %s", ([, rows, before, by]) => expect(reachedBy(rows, before).by).toBe(by));

test("decodes a token, and rejects what is not one", () => {
  const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  expect(decodeToken(`${part({ alg: "ES256" })}.${part({ sub: "Zoë ✓" })}.sig`)).toEqual({
    header: { alg: "ES256" },
    claims: { sub: "Zoë ✓" },
  });
  for (const none of ["", "a.b", "a.b.c", `${part([])}.${part({})}.c`, `${part({})}.${part({})}.c.d`])
    expect(decodeToken(none)).toBe(undefined);
});
