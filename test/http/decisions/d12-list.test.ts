/** service.md 4.1 list; D12. */
import { describe, expect, test } from "vitest";
import type { Reply } from "#test/hosts/client.ts";
import { expectInvalid, expectRefusal, harness, PHONE, raw, SESSION, type TestApp } from "./support.ts";

const { app: newApp, auth, server } = harness();

const filled = async (count: number): Promise<TestApp> => {
  const app = await newApp();
  for (let i = 0; i < count; i++) await app.admin("POST", "/v1/profiles", { name: `n${i}` });
  return app;
};
const names = (reply: Reply): string[] => reply.json.map((profile: { name: string }) => profile.name);
/** Page and limit of every relation in the Link header. */
const links = (reply: Reply): Record<string, string> => {
  const found: Record<string, string> = {};
  for (const link of (reply.headers.get("Link") ?? "").split(/,\s*(?=<)/)) {
    const match = /^<([^>]+)>;\s*rel="([^"]+)"$/.exec(link);
    const url = new URL(match?.[1] ?? "");
    expect(url.origin).toBe(server().urls.admin);
    expect(url.pathname).toBe("/v1/profiles");
    found[match?.[2] ?? ""] = `${url.searchParams.get("page")}/${url.searchParams.get("limit")}`;
  }
  return found;
};
const paging = (reply: Reply) =>
  ["Current-Page", "Page-Items", "Total-Count", "Total-Pages"].map((name) => reply.headers.get(name));

test("a parameter of the query that the operation does not read is named in the row", async () => {
  const { appId, admin, logged } = await newApp();
  const ignored = async (reply: Reply): Promise<string[]> => (await logged(reply)).ignoredFields;
  expect(await ignored(await admin("GET", "/v1/profiles?phone=%2B12025550142&page=1&q=a&q=b"))).toEqual([
    "?phone",
    "?q",
  ]);
  expect(await ignored(await admin("POST", "/v1/profiles?name=Ada", { nick: "a" }))).toEqual(["?name", "nick"]);
  const reply = await admin("GET", "/v1/profiles?expand=1");
  expect(reply.status).toBe(200);
  expect((await logged(reply)).advice).toMatchObject([{ code: "ignored", text: expect.stringContaining("“?expand”") }]);
  const started = await auth("POST", `${SESSION}?appId=${appId}`, { appId, user: { phone: PHONE } });
  expect(await ignored(started)).toEqual(["?appId"]);
});

describe("D12 list", () => {
  test("D12: is a bare JSON array in order of creation", async () => {
    const { admin } = await filled(5);
    const list = await admin("GET", "/v1/profiles");
    expect(list.status).toBe(200);
    expect(Array.isArray(list.json)).toBe(true);
    expect(names(list)).toEqual(["n0", "n1", "n2", "n3", "n4"]);
  });

  test("D12: keeps the position of an updated profile and closes the gap of a deleted one", async () => {
    const { admin } = await filled(4);
    const { json } = await admin("GET", "/v1/profiles");
    await admin("PUT", `/v1/profiles/${json[0].userId}`, { phone: PHONE });
    await admin("DELETE", `/v1/profiles/${json[1].userId}`);
    await admin("POST", "/v1/profiles", { name: "last" });
    const list = await admin("GET", "/v1/profiles");
    expect(names(list)).toEqual(["n0", "n2", "n3", "last"]);
    expect(paging(list)).toEqual(["1", "25", "4", "1"]);
  });

  test("D12: has page from 1, default 1, and limit 1 to 100, default 25; Page-Items is the effective limit", async () => {
    const { admin } = await filled(30);
    const first = await admin("GET", "/v1/profiles");
    expect(first.json).toHaveLength(25);
    expect(paging(first)).toEqual(["1", "25", "30", "2"]);
    expect(links(first)).toEqual({ first: "1/25", last: "2/25", next: "2/25" });
    const second = await admin("GET", "/v1/profiles?page=2");
    expect(names(second)).toEqual(["n25", "n26", "n27", "n28", "n29"]);
    expect(paging(second)).toEqual(["2", "25", "30", "2"]);
    expect(links(second)).toEqual({ first: "1/25", last: "2/25", prev: "1/25" });
    const middle = await admin("GET", "/v1/profiles?limit=7&page=3");
    expect(names(middle)[0]).toBe("n14");
    expect(paging(middle)).toEqual(["3", "7", "30", "5"]);
    expect(links(middle)).toEqual({ first: "1/7", last: "5/7", prev: "2/7", next: "4/7" });
    const all = await admin("GET", "/v1/profiles?limit=100");
    expect(all.json).toHaveLength(30);
    expect(links(all)).toEqual({ first: "1/100", last: "1/100" });
    expect((await admin("GET", "/v1/profiles?limit=1")).json).toHaveLength(1);
  });

  test("D12: has no empty last page when all pages are full", async () => {
    const { admin } = await filled(6);
    const last = await admin("GET", "/v1/profiles?limit=3&page=2");
    expect(last.json).toHaveLength(3);
    expect(paging(last)).toEqual(["2", "3", "6", "2"]);
    expect(links(last)).toEqual({ first: "1/3", last: "2/3", prev: "1/3" });
  });

  test("D12: without profiles Total-Pages is 0 and last is page 1", async () => {
    const { admin } = await newApp();
    const list = await admin("GET", "/v1/profiles");
    expect(list.text).toBe("[]");
    expect(paging(list)).toEqual(["1", "25", "0", "0"]);
    expect(links(list)).toEqual({ first: "1/25", last: "1/25" });
  });

  test.each([3, 50, 999_999_999])("D12: past the end is 200 [], and prev the last page: page %i", async (page) => {
    const { admin } = await filled(4);
    const list = await admin("GET", `/v1/profiles?limit=2&page=${page}`);
    expect(list.status).toBe(200);
    expect(list.text).toBe("[]");
    expect(paging(list)).toEqual([`${page}`, "2", "4", "2"]);
    expect(links(list)).toEqual({ first: "1/2", last: "2/2", prev: "2/2" });
  });

  test("D12: can be read by following links from the first page to the last", async () => {
    const { admin } = await filled(5);
    const seen: string[] = [];
    for (let next: string | undefined = "1/2"; next !== undefined; ) {
      const [page, limit]: string[] = next.split("/");
      const list: Reply = await admin("GET", `/v1/profiles?page=${page}&limit=${limit}`);
      seen.push(...names(list));
      next = links(list)["next"];
    }
    expect(seen).toEqual(["n0", "n1", "n2", "n3", "n4"]);
  });

  test("D12: links use the requested host, so that they work from a container", async () => {
    const { secret } = await newApp();
    const { port } = new URL(server().urls.admin);
    const asked = await raw(`http://localhost:${port}/v1/profiles`, {
      method: "GET",
      headers: ["Authorization", `Bearer ${secret}`],
    });
    expect(asked.headers["link"]).toContain(`<http://localhost:${port}/v1/profiles?page=1&limit=25>; rel="first"`);
  });

  test.each(["page=0", "page=-1", "page=abc", "page=1.5", "page=", "page=%31%00", "page=true"])(
    "D12: returns 422 on an invalid page: %s",
    async (query) => {
      const { admin } = await newApp();
      expectInvalid(await admin("GET", `/v1/profiles?${query}`), "page");
    },
  );

  test.each(["limit=0", "limit=101", "limit=-5", "limit=ten", "limit=2.5", "limit=", "limit=null", "limit=Infinity"])(
    "D12: returns 422 on an invalid limit: %s",
    async (query) => {
      const { admin } = await newApp();
      expectInvalid(await admin("GET", `/v1/profiles?${query}`), "limit");
    },
  );

  test("D12: returns 422 on a repeated parameter, and all errors at once", async () => {
    const { admin } = await newApp();
    expectInvalid(await admin("GET", "/v1/profiles?page=1&page=1"), "page");
    expectInvalid(await admin("GET", "/v1/profiles?limit=5&page=1&limit=6"), "limit");
    expectInvalid(await admin("GET", "/v1/profiles?limit=0&page=x"), "limit", "page");
  });

  test("D12: ignores other parameters", async () => {
    const { admin } = await filled(1);
    expect((await admin("GET", "/v1/profiles?sort=name&sort=x&__proto__=1&constructor=2")).json).toHaveLength(1);
  });

  test("D12: checks the secret first", async () => {
    const { admin } = await newApp();
    expectRefusal(await admin("GET", "/v1/profiles?page=0", undefined, { Authorization: "Bearer x" }), 401);
  });
});
