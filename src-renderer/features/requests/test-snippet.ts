/** Exports requests of the log as a test with `stagedoor/client`, for the Node test runner. */
import type { RequestRow } from "#client/index.ts";
import { isObject } from "#contract/service/wire-body.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";

const text = (value: unknown): string => JSON.stringify(value);

/** @returns a JSON value as source code, with all lines but the first indented by two more spaces. */
const source = (value: unknown): string => (JSON.stringify(value, null, 2) ?? "undefined").replaceAll("\n", "\n    ");

/** @returns the lines that send a body; a correct code is replaced by the one that the test reads. */
const bodyLines = (row: RequestRow, typed: string | null): string[] => {
  const { body } = row.request;
  if (body === null || body === "") return [];
  const value = parsedJson(body);
  if (!isObject(value)) return [`    body: ${text(body)},`];
  const written = source(value);
  const right = typed !== null && row.status < 300;
  return [`    body: JSON.stringify(${right ? written.replaceAll(text(typed), "code") : written}),`];
};

const headerLines = (row: RequestRow): string[] => {
  const type = row.request.headers["content-type"];
  const secret = row.appId === null ? '"Bearer wrong"' : '"Bearer " + secret';
  const lines = [
    ...(type === undefined ? [] : [`"content-type": ${text(String(type))}`]),
    ...(row.listener === "admin" && row.reason !== "missing_secret" ? [`authorization: ${secret}`] : []),
  ];
  return lines.length === 0 ? [] : [`    headers: { ${lines.join(", ")} },`];
};

/** @returns the setup that a request needs to have the same result. */
const before = ({ listener, appId, userId, method }: RequestRow, code: string): string[] => {
  if (appId === null) return [];
  if (listener === "admin") return [`  const { secret } = await stagedoor.apps.get(${text(appId)});`];
  if (method !== "PUT" || userId === null) return [];
  return [`  ${code}await stagedoor.passcodes.send(${text({ appId, userId })});`];
};

const call = (row: RequestRow, name: string, code: string): string[] => {
  const { login } = row;
  const asks = code !== "" && login !== null && row.method === "POST" && row.status === 202;
  return [
    `  const ${name} = await fetch(urls.${row.listener} + ${text(row.path)}, {`,
    `    method: ${text(row.method)},`,
    ...headerLines(row),
    ...bodyLines(row, login?.typed ?? null),
    "  });",
    `  assert.equal(${name}.status, ${row.status});`,
    ...(row.reason === null ? [] : [`  assert.equal(${name}.headers.get("emulator-reason"), ${text(row.reason)});`]),
    ...(asks && row.appId !== null
      ? [`  ${code}await stagedoor.passcodes.latest(${text({ appId: row.appId, to: login.to })});`]
      : []),
  ];
};

/** @returns whether a test can repeat a request: not if a fault applied, because it may be gone. */
const isRepeatable = ({ fault, listener }: RequestRow): boolean => fault === null && listener !== "console";

/** @param rows oldest first. @returns the source of a test that sends them and expects the same responses. */
export const snippetOf = (rows: readonly RequestRow[], consoleUrl: string): string => {
  const asked = rows.filter(isRepeatable);
  const code = asked.some(({ method, status }) => method === "PUT" && status < 300) ? "const { code } = " : "";
  const lines = asked.flatMap((row, at) => [
    ...(at === 0 ? before(row, code) : [""]),
    ...call(row, asked.length === 1 ? "response" : `response${at + 1}`, code),
  ]);
  const last = asked.at(-1);
  return [
    'import assert from "node:assert/strict";',
    'import { test } from "node:test";',
    'import { connect } from "stagedoor/client";',
    "",
    `test(${text(last === undefined ? "no request" : `${last.method} ${last.path} returns ${last.status}`)}, async () => {`,
    `  const stagedoor = connect({ consoleUrl: ${text(consoleUrl)} });`,
    "  const { urls } = await stagedoor.status();",
    "",
    ...lines,
    "});",
    "",
  ].join("\n");
};
