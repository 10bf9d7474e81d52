import { describe, expect, test } from "vitest";
import { freshPhone, harness, ISO, NOBODY, UUID } from "./support.ts";

const { control, app } = harness();

describe("POST, GET, PATCH, DELETE", () => {
  test("POST returns 201 with the whole profile, userId and appId included", async () => {
    const { appId, admin } = await app();
    const phone = freshPhone();
    const { status, json } = await control("POST", "/profiles", { appId, phone, metadata: { favorite_color: "red" } });
    expect(status).toBe(201);
    expect(json).toMatchObject({ appId, phone, name: null, email: null, metadata: { favoriteColor: "red" } });
    expect(json.userId).toMatch(UUID);
    expect([json.createdAt, json.updatedAt]).toEqual([expect.stringMatching(ISO), json.createdAt]);
    expect((await control("GET", `/profiles/${json.userId}?appId=${appId}`)).json).toEqual(json);
    expect((await control("GET", `/profiles/${json.userId.toUpperCase()}`)).json).toEqual(json);
    expect((await admin("GET", `/v1/profiles/${json.userId}`)).json.phone).toBe(phone);
  });

  test("PATCH returns the whole profile: the phone it carried too, userId and no id", async () => {
    const { appId, profile } = await app();
    const { userId, createdAt } = await profile({ name: "Ann", metadata: { a: 1, b: 2 } });
    const phone = freshPhone();
    const { status, json } = await control("PATCH", `/profiles/${userId}?appId=${appId}`, {
      phone,
      name: null,
      metadata: { b: 3, new_key: 4 },
    });
    expect(status).toBe(200);
    expect(json).toMatchObject({ userId, appId, phone, name: null, createdAt, metadata: { a: 1, b: 3, newKey: 4 } });
    expect(json).not.toHaveProperty("id");
    expect((await control("GET", `/profiles/${userId}`)).json).toEqual(json);
  });

  test("testPasscode can be set, used and cleared", async () => {
    const { profile, ask, appId } = await app();
    const { userId, phone, testPasscode } = await profile({ testPasscode: "123456" });
    expect(testPasscode).toBe("123456");
    await ask(phone);
    expect((await control("GET", `/passcodes/latest?appId=${appId}&to=${phone}`)).json.code).toBe("123456");
    expect((await control("PATCH", `/profiles/${userId}`, { name: "kept" })).json.testPasscode).toBe("123456");
    expect((await control("PATCH", `/profiles/${userId}`, { testPasscode: null })).json.testPasscode).toBeNull();
    expect((await control("PATCH", `/profiles/${userId}`, { testPasscode: "12" })).json).toHaveProperty("testPasscode");
  });

  test("validation is that of the admin interface, reporting all errors at once", async () => {
    const { appId, profile } = await app();
    const { phone } = await profile();
    const bad = await control("POST", "/profiles", { appId, phone: "123", email: "x", name: 7, testPasscode: "a" });
    expect(bad.status).toBe(422);
    expect(Object.keys(bad.json).sort()).toEqual(["email", "name", "phone", "testPasscode"]);
    expect((await control("POST", "/profiles", { appId, phone })).json).toEqual({ phone: ["has already been taken"] });
    expect((await control("POST", "/profiles", { phone })).json).toEqual({ appId: ["can't be blank"] });
    expect((await control("POST", "/profiles", { appId: "none" })).status).toBe(404);
  });

  test("DELETE returns 204, then 404; sessions and passcodes go, managed connections stay as disabled", async () => {
    const { appId, profile, ask } = await app();
    const { userId, phone } = await profile();
    await ask(phone);
    const { token } = (await control("POST", "/sessions", { appId, userId })).json;
    await control("POST", "/connections", { appId, userId, name: "Ours", managed: true });
    await control("POST", "/connections", { appId, userId, name: "Theirs", managed: false });
    expect((await control("DELETE", `/profiles/${userId}?appId=${appId}`)).status).toBe(204);
    expect((await control("DELETE", `/profiles/${userId}?appId=${appId}`)).status).toBe(404);
    expect((await control("GET", `/apps/${appId}`)).json.counts).toEqual({
      profiles: 0,
      passcodes: 0,
      sessions: 0,
      connections: 1,
    });
    const [left] = (await control("GET", `/connections?appId=${appId}&userId=${userId}`)).json.items;
    expect(left).toMatchObject({ name: "Ours", status: "disabled", disabledAt: expect.stringMatching(ISO) });
    expect((await control("POST", "/sessions/introspect", { token })).json).toMatchObject({ active: false });
  });

  test("an unknown id, an invalid one, and one of another app return 404", async () => {
    const [one, other] = [await app(), await app()];
    const { userId } = await one.profile();
    for (const id of [NOBODY, "x", `${userId}?appId=${other.appId}`])
      for (const method of ["GET", "PATCH", "DELETE"]) {
        const reply = await control(method, `/profiles/${id}`, method === "PATCH" ? {} : undefined);
        expect([method, id, reply.status]).toEqual([method, id, 404]);
      }
    expect((await control("GET", `/profiles/${userId}?appId=${one.appId}`)).status).toBe(200);
  });

  test("many can be deleted at once; each counts once, and unknown ids are skipped", async () => {
    const { appId, profile } = await app();
    const [a, b, c] = [await profile(), await profile(), await profile()];
    const gone = await control("POST", "/profiles/delete", { appId, userIds: [a.userId, c.userId, NOBODY, a.userId] });
    expect([gone.status, gone.json]).toEqual([200, { deleted: 2 }]);
    const { items } = (await control("GET", `/profiles?appId=${appId}`)).json;
    expect(items).toEqual([b]);
    const bad = await control("POST", "/profiles/delete", { appId, userIds: ["x"] });
    expect([bad.status, Object.keys(bad.json)]).toEqual([422, ["userIds[0]"]]);
  });
});

describe("PATCH profiles with metadataMode", () => {
  const patch = async (body: object) => {
    const { profile } = await app();
    const { userId } = await profile({ name: "Ada", metadata: { plan: "free", city: "London" } });
    const seq = async (): Promise<number> => (await control("GET", "/status")).json.seq;
    const before = await seq();
    const { status, json } = await control("PATCH", `/profiles/${userId}`, body);
    const after = (await control("GET", `/profiles/${userId}`)).json;
    return { status, json, after, changes: (await seq()) - before };
  };

  test("replace removes keys that were not sent, together with other fields in one change", async () => {
    const { json, after, changes } = await patch({ name: "A", metadata: { plan: "team" }, metadataMode: "replace" });
    expect(json).toMatchObject({ name: "A", metadata: { plan: "team" } });
    expect(after).toEqual(json);
    expect(changes).toBe(1);
  });

  test.each([
    ["merge", { metadata: { plan: "team" }, metadataMode: "merge" }, { plan: "team", city: "London" }],
    ["absent", { metadata: { plan: "team" } }, { plan: "team", city: "London" }],
    ["replace without metadata", { metadataMode: "replace" }, { plan: "free", city: "London" }],
    ["replace with null", { metadata: null, metadataMode: "replace" }, null],
    ["replace with {}", { metadata: {}, metadataMode: "replace" }, {}],
  ])("%s", async (_, body, metadata) => {
    expect((await patch(body)).after.metadata).toEqual(metadata);
  });

  test("limits apply to the result: 50 other keys can replace 2", async () => {
    const metadata = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`key${n}`, n]));
    expect((await patch({ metadata })).status).toBe(422);
    expect((await patch({ metadata, metadataMode: "replace" })).after.metadata).toEqual(metadata);
  });

  test("an invalid mode returns 422 with all other errors, and changes nothing", async () => {
    const { status, json, changes } = await patch({ metadataMode: "swap", email: "x", testPasscode: "1" });
    expect([status, Object.keys(json).sort()]).toEqual([422, ["email", "metadataMode", "testPasscode"]]);
    expect(changes).toBe(0);
  });
});

describe("GET profiles", () => {
  const names = (reply: { json: { items: { name: string }[] } }) => reply.json.items.map(({ name }) => name);

  test("lists in order of creation, in pages, with the total", async () => {
    const { appId, profile } = await app();
    for (const name of ["a", "b", "c", "d", "e"]) await profile({ name });
    const list = (query: string) => control("GET", `/profiles?appId=${appId}${query}`);
    expect(names(await list(""))).toEqual(["a", "b", "c", "d", "e"]);
    const second = await list("&page=2&limit=2");
    expect([names(second), second.json.total]).toEqual([["c", "d"], 5]);
    expect((await list("&page=9&limit=2")).json).toEqual({ items: [], total: 5 });
    expect(names(await list("&sort=-createdAt"))).toEqual(["e", "d", "c", "b", "a"]);
    expect(names(await list("&sort=createdAt&limit=1"))).toEqual(["a"]);
  });

  test("sorts by name in both directions, profiles without one last", async () => {
    const { appId, profile } = await app();
    for (const name of ["beta", null, "Alpha", "gamma"]) await profile({ name });
    expect(names(await control("GET", `/profiles?appId=${appId}&sort=name`))).toEqual(["Alpha", "beta", "gamma", null]);
    expect(names(await control("GET", `/profiles?appId=${appId}&sort=-name`))).toEqual([
      "gamma",
      "beta",
      "Alpha",
      null,
    ]);
  });

  test("sorts by updatedAt, most recent first", async () => {
    const { appId, profile } = await app();
    const [first] = [await profile({ name: "first" }), await profile({ name: "second" })];
    await control("POST", `/clock/advance?appId=${appId}`, { seconds: 5 });
    await control("PATCH", `/profiles/${first.userId}`, {});
    expect(names(await control("GET", `/profiles?appId=${appId}&sort=-updatedAt`))).toEqual(["first", "second"]);
  });

  test("searches name, phone, email and metadata, ignoring case", async () => {
    const { appId, profile } = await app();
    const phone = freshPhone();
    await profile({ name: "Zoë Quux", phone });
    await profile({ name: "other", email: "needle@example.com" });
    await profile({ name: "third", metadata: { note: "a Haystack here" } });
    const search = async (q: string) =>
      names(await control("GET", `/profiles?appId=${appId}&q=${encodeURIComponent(q)}`));
    expect(await search("quux")).toEqual(["Zoë Quux"]);
    expect(await search(phone)).toEqual(["Zoë Quux"]);
    expect(await search("NEEDLE@")).toEqual(["other"]);
    expect(await search("haystack")).toEqual(["third"]);
    expect(await search("nowhere")).toEqual([]);
  });

  test.each([
    ["Jürgen Müller", ["jurgen", "MULLER", "Ju\u0308rgen"]],
    ["Łukasiewicz", ["lukasiewicz", "łuka"]],
    ["Königstraße 5", ["konigstrasse", "straße"]],
    ["Strasse", ["straße"]],
    ["Shaun O’Neil", ["O'Neil", "oneil", "o‘neil"]],
    ["Søren Æther", ["soren", "aether", "søren"]],
    ["Aydın Yıldız", ["aydin", "YILDIZ"]],
    ["ﬁona", ["fiona"]],
  ])("folds accents, ligatures, apostrophes and strokes: %s", async (name, sought) => {
    const { appId, profile } = await app();
    await profile({ name });
    await profile({ name: "somebody else" });
    for (const q of sought)
      expect(names(await control("GET", `/profiles?appId=${appId}&q=${encodeURIComponent(q)}`)), q).toEqual([name]);
  });

  test("takes words in any order, and sorts names as people do", async () => {
    const { appId, profile } = await app();
    for (const name of ["Zoë", "Åsa", "10th", "2nd", "Ada Lovelace"]) await profile({ name });
    const list = async (query: string) => names(await control("GET", `/profiles?appId=${appId}&${query}`));
    expect(await list("q=Lovelace%20Ada")).toEqual(["Ada Lovelace"]);
    expect(await list("q=Lovelace%20Zoe")).toEqual([]);
    expect(await list("sort=name")).toEqual(["2nd", "10th", "Ada Lovelace", "Åsa", "Zoë"]);
  });

  test("lists all apps if none is named", async () => {
    const [one, two] = [await app(), await app()];
    await one.profile({ name: "shared-needle" });
    await two.profile({ name: "shared-needle" });
    const { items, total } = (await control("GET", "/profiles?q=shared-needle&sort=-createdAt")).json;
    expect(total).toBe(2);
    expect(items.map((item: { appId: string }) => item.appId)).toEqual([two.appId, one.appId]);
    expect((await control("GET", "/profiles?appId=none")).status).toBe(404);
  });

  test.each(["page=0", "page=x", "limit=0", "limit=100000", "sort=age", "page=1&page=2"])(
    "returns 422 for %s",
    async (query) => {
      const refused = await control("GET", `/profiles?${query}`);
      expect(refused.status).toBe(422);
      expect(Object.keys(refused.json)).toEqual([query.slice(0, query.indexOf("="))]);
    },
  );
});
