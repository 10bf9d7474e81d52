import { describe, expect, test } from "vitest";
import type { App, RequestRow } from "#client/index.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import { wireBody } from "#contract/service/wire-body.ts";
import { foldRetries } from "../../src-renderer/shared/login/stories.ts";
import {
  passesQuery,
  readQuery,
  serverFilter,
  withField,
  writeQuery,
} from "../../src-renderer/shared/request/query.ts";
import { isOfApp } from "../../src-renderer/shared/request/row-words.ts";
import { appWith as app, instant, ROW, requestRow as row } from "./records.ts";

const AT = ROW.at;

describe("the query", () => {
  test("survives parsing and formatting: fields, words, quotes, exclusions", () => {
    const q = 'status:401 -path:/livez "two words" method:PUT http://x';
    expect(readQuery(q)).toEqual([
      { field: "status", text: "401", not: false },
      { field: "path", text: "/livez", not: true },
      { field: null, text: "two words", not: false },
      { field: "method", text: "PUT", not: false },
      { field: null, text: "http://x", not: false },
    ]);
    expect(writeQuery(readQuery(q))).toBe(q);
  });

  test("replaces the value of a field when another is clicked, but keeps what is excluded", () => {
    expect(withField("status:401 x", "status", "422")).toBe("x status:422");
    expect(withField("", "path", "/v1/profiles")).toBe("path:/v1/profiles");
    expect(withField("-status:404 status:401", "status", "422")).toBe("-status:404 status:422");
  });

  test("finds what stands in a request whatever its case, accents and apostrophes", () => {
    const sent = row({}, { name: "Jürgen O’Neil, Łódź" });
    for (const q of ["jurgen", "JÜRGEN", "o'neil", "lodz"])
      expect([q, passesQuery(sent, readQuery(q))]).toEqual([q, true]);
    expect(passesQuery(sent, readQuery("jorgen"))).toBe(false);
  });

  test("sends the server the filters it supports, and applies the rest itself", () => {
    expect(serverFilter(readQuery("status:4xx method:put user:u1 -path:/livez"), "demo-app")).toEqual({
      method: "put",
      userId: "u1",
    });
    expect(serverFilter(readQuery("app:demo-app"), null)).toEqual({ appId: "demo-app" });
    expect(serverFilter(readQuery("status:401 listener:tv"), null)).toEqual({ status: 401 });
    expect(passesQuery(row(), readQuery("status:4xx"))).toBe(true);
    expect(passesQuery(row(), readQuery("-status:4"))).toBe(false);
    expect(passesQuery(row(), readQuery("status:4x1"))).toBe(true);
    expect(passesQuery(row(), readQuery("status:4x4"))).toBe(false);
    expect(passesQuery(row({ reason: "passcode_used" }), readQuery("reason:passcode used"))).toBe(true);
  });
});

test("a trace is found by its id or how that begins, in whatever header it stands", () => {
  const id = "4bf92f3577b34da6a3ce929d0e0e4736";
  const found = (headers: RequestRow["request"]["headers"], trace = id.slice(0, 8)): boolean => {
    const sent = row();
    return passesQuery({ ...sent, request: { ...sent.request, headers } }, readQuery(`trace:${trace}`));
  };
  for (const headers of [
    { traceparent: `00-${id}-00f067aa0ba902b7-01` },
    { b3: `${id}-00f067aa0ba902b7-1` },
    { "sentry-trace": `${id}-00f067aa0ba902b7` },
    { "uber-trace-id": `${id}:1:0:1` },
    { "x-cloud-trace-context": `${id}/1;o=1` },
    { "x-amzn-trace-id": `Self=1-2;Root=${id};Sampled=1` },
    { "x-request-id": id.toUpperCase() },
  ])
    expect(found(headers), JSON.stringify(headers)).toBe(true);
  expect(found({ traceparent: `00-${id}-00f067aa0ba902b7-01` }, "00f067aa")).toBe(false);
  expect(found({ accept: id })).toBe(false);
  expect(serverFilter(readQuery(`trace:${id}`), null)).toEqual({ trace: id });
});

test("an app's log includes requests without a known app", () => {
  const [own, other, none] = [row(), row({ appId: "other" }), row({ appId: null })];
  expect([own, other, none].map((one) => isOfApp(one, "demo-app"))).toEqual([true, false, true]);
  expect([own, other, none].every((one) => isOfApp(one, null))).toBe(true);
});

describe("retries", () => {
  const at = (seconds: number, change: Partial<RequestRow> = {}) =>
    row({ id: `at ${seconds}`, at: instant(new Date(Date.parse(AT) + seconds * 1000).toISOString()), ...change });

  test("of the same request within seconds are folded into one line, with the id of the oldest", () => {
    const folded = foldRetries([at(20), at(9, { status: 200 }), at(8), at(4), at(0)]);
    expect(folded.map(({ id, newest, rows }) => [id, newest.id, rows.length])).toEqual([
      ["at 20", "at 20", 1],
      ["at 9", "at 9", 1],
      ["at 0", "at 8", 3],
    ]);
  });

  test("are not folded if they are more than five seconds apart", () => {
    expect(foldRetries([at(5), at(0)])).toHaveLength(1);
    expect(foldRetries([at(5.001), at(0)])).toHaveLength(2);
  });

  test("are not folded across another request, nor one with a fault and one without", () => {
    const folded = foldRetries([at(3), at(2, { path: "/livez" }), at(1), at(0, { fault: "f" })]);
    expect(folded.map(({ rows }) => rows.length)).toEqual([1, 1, 1, 1]);
  });
});

describe("an app's wire settings", () => {
  const wire = (own: App["settings"]["wire"]) => effectiveSettings(own === undefined ? {} : { wire: own }).wire;
  test("shape the bodies, and locate the passcode in them", () => {
    const session = wire({ envelope: "session", appIdField: "clientId", userField: null });
    const body = wireBody(session, app(), "+1202", "123456");
    expect(body).toEqual({ session: { clientId: "demo-app", phone: "+1202", passcode: "123456" } });
    const nested = wireBody(wire({ passcodeField: "user.otp" }), app(), "+1202", "123456");
    expect(nested).toEqual({ appId: "demo-app", user: { phone: "+1202", otp: "123456" } });
  });
});
