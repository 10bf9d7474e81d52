import { expect, test } from "vitest";
import { harness, ISO, NOBODY, UUID } from "./support.ts";

const { control, app } = harness();
const connected = async (fields: object = {}) => {
  const made = await app();
  const { userId } = await made.profile();
  const reply = await control("POST", "/connections", { appId: made.appId, userId, name: "Bank", ...fields });
  return { ...made, userId, reply, id: reply.json.id as string };
};

test("POST connects a profile and returns 201 with the connection", async () => {
  const { reply, appId, userId, id } = await connected({ managed: false });
  expect(reply.status).toBe(201);
  expect(reply.json).toEqual({
    id: expect.stringMatching(UUID),
    appId,
    userId,
    name: "Bank",
    managed: false,
    status: "connected",
    createdAt: expect.stringMatching(ISO),
    disabledAt: null,
  });
  expect((await control("GET", `/connections/${id}`)).json).toEqual(reply.json);
});

test("GET filters by app and by user", async () => {
  const { appId, userId, profile, id } = await connected();
  const other = await profile();
  const second = (await control("POST", "/connections", { appId, userId: other.userId, name: "Shop" })).json;
  const ids = async (query: string) =>
    (await control("GET", `/connections?${query}`)).json.items.map((item: { id: string }) => item.id);
  expect((await ids(`appId=${appId}`)).sort()).toEqual([id, second.id].sort());
  expect(await ids(`appId=${appId}&userId=${userId}`)).toEqual([id]);
  expect(await ids(`userId=${other.userId}`)).toEqual([second.id]);
  expect(await ids("")).toEqual(expect.arrayContaining([id, second.id]));
  expect((await control("GET", "/connections?appId=none")).status).toBe(404);
  expect((await control("GET", "/connections?userId=x")).status).toBe(422);
});

test("PATCH disables, reconnects, renames and changes the owner", async () => {
  const { id, reply } = await connected();
  const off = await control("PATCH", `/connections/${id}`, { status: "disabled" });
  expect([off.status, off.json]).toEqual([
    200,
    { ...reply.json, status: "disabled", disabledAt: expect.stringMatching(ISO) },
  ]);
  const renamed = await control("PATCH", `/connections/${id}`, { name: "Other", managed: false });
  expect(renamed.json).toEqual({ ...off.json, name: "Other", managed: false });
  const on = await control("PATCH", `/connections/${id}`, { status: "connected" });
  expect(on.json).toMatchObject({ status: "connected", disabledAt: null });
  const bad = await control("PATCH", `/connections/${id}`, { status: "lost" });
  expect([bad.status, Object.keys(bad.json)]).toEqual([422, ["status"]]);
  expect((await control("GET", `/connections/${id}`)).json).toEqual(on.json);
});

test("DELETE returns 204, then 404", async () => {
  const { id } = await connected();
  expect((await control("DELETE", `/connections/${id}`)).status).toBe(204);
  for (const [method, body] of [["GET"], ["PATCH", {}], ["DELETE"]] as const)
    expect((await control(method, `/connections/${id}`, body)).status).toBe(404);
});

test("rejects an unknown user, an unknown app and a missing name", async () => {
  const { appId, userId } = await connected();
  expect((await control("POST", "/connections", { appId, userId: NOBODY, name: "x" })).status).toBe(404);
  expect((await control("POST", "/connections", { appId: "none", userId, name: "x" })).status).toBe(404);
  const none = await control("POST", "/connections", {});
  expect([none.status, Object.keys(none.json).sort()]).toEqual([422, ["name", "userId"]]);
  const long = await control("POST", "/connections", { appId, userId, name: "x".repeat(256) });
  expect(Object.keys(long.json)).toEqual(["name"]);
});
