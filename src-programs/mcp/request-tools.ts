/** MCP tools for requests: what arrived, and why it failed. */
import { z } from "zod";
import type { Client } from "#client/client.ts";
import type { RequestQuery, RequestRow } from "#client/records.ts";
import { many } from "#contract/words/words.ts";
import { type Session, ToolError } from "#server/plumbing/agent-session.ts";
import { appTool, type Tool } from "#server/plumbing/agent-tool.ts";
import { explain } from "#server/plumbing/explain.ts";

const requestLine = z.object({
  id: z.string(),
  at: z.string(),
  method: z.string(),
  path: z.string(),
  status: z.int(),
  reason: z.string().nullable(),
});

const requestWords = ({ id, at, method, path, status, reason }: RequestRow): string =>
  `${id} ${at} ${method} ${path} ${status === 0 ? "no response" : status} ${reason ?? ""}`.trim();

/** @returns the app's requests and, from this session, those without a known app (a mistyped id); newest first. */
const rowsOf = async (session: Session, appId: string, query: RequestQuery): Promise<RequestRow[]> =>
  await session.ask(async ({ requests }) => {
    const [own, all] = await Promise.all([requests.list({ ...query, appId }), requests.list(query)]);
    const nobodys = all.items.filter((row) => row.appId === null && Date.parse(row.at) >= session.since);
    return [...own.items, ...nobodys].sort((a, b) => b.at.localeCompare(a.at)).slice(0, query.limit);
  }, appId);

const listRequests = appTool("list_requests", {
  title: "List requests",
  description: "Requests of the app under test and its backend, newest first, including those without a known app.",
  input: z.strictObject({
    status: z.int().min(100).max(599).exactOptional(),
    path: z.string().exactOptional().meta({ description: "Only paths that start with this." }),
    limit: z.int().min(1).max(100).default(20),
  }),
  output: z.object({ requests: z.array(requestLine) }),
  hint: "reads",
  run: async (query, { appId, session }) => {
    const requests = await rowsOf(session, appId, query);
    const none = "No requests. Does the app under test use the URLs of where_to_connect?";
    return { text: requests.map(requestWords).join("\n") || none, data: { requests } };
  },
});

/** @returns the request to explain: the given one, or the newest that failed; else that none did. @throws ToolError */
const failureOf = async (session: Session, appId: string, id: string | undefined): Promise<RequestRow | string> => {
  if (id !== undefined) {
    const row = await session.ask(({ requests }) => requests.get(id), appId);
    if (row.appId === null || row.appId === appId) return row;
    throw new ToolError("not_your_app", `The request is not of ${appId}. list_requests has those that are.`);
  }
  const rows = await rowsOf(session, appId, { limit: 100 });
  const failed = rows.find(({ status }) => status >= 400 || status === 0);
  if (failed !== undefined) return failed;
  const came = rows.length === 0 ? "No request arrived: check the URLs with where_to_connect." : "Nothing failed.";
  return `${came} list_requests shows ${many(rows.length, "request")} of ${appId}.`;
};

/** @returns how the fault behind a failure goes away. */
const faultWords = async ({ faults }: Client, id: string): Promise<string> => {
  const fault = (await faults.list()).items.find((one) => one.id === id);
  if (fault === undefined) return `Fault ${id} simulated this. It is used up.`;
  const remedy =
    fault.userId === null
      ? `clear_faults {"id": "${id}"} turns it off`
      : `it is the scenario of user ${fault.userId}: make_users with "scenario": null turns it off`;
  return `Fault ${id} simulates this; ${remedy}.`;
};

const explainFailure = appTool("explain_failure", {
  title: "Explain a failure",
  description: "Why the newest failed request (or the given one) failed, and how to fix it.",
  input: z.strictObject({
    requestId: z.string().exactOptional().meta({ description: "Also the header Emulator-Request-Id of a response." }),
  }),
  output: requestLine
    .extend({
      why: z.string().nullable().meta({ description: "null: it did not fail." }),
      change: z.array(z.string()).meta({ description: "The likeliest first." }),
      behaviour: z.string().nullable(),
      fault: z.string().nullable().meta({ description: "The fault that caused it: see set_fault, clear_faults." }),
      ignoredFields: z.array(z.string()),
      requestBody: z.string().nullable(),
    })
    .partial()
    .meta({ description: "Only `change`: nothing failed." }),
  hint: "reads",
  run: async ({ requestId }, { appId, session, ask }) => {
    const row = await failureOf(session, appId, requestId);
    if (typeof row === "string") return { text: row, data: { why: null, change: [] } };
    const aboutFault = await ask(async (client) => (row.fault === null ? [] : [await faultWords(client, row.fault)]));
    // A session may know only some of the apps.
    const apps = row.appId === null ? await ask(async (client) => (await client.apps.list()).items) : [];
    const known = session.visible(apps).map(({ appId: id }) => id);
    const hidden = apps.flatMap(({ appId: id }) => (known.includes(id) ? [] : [id]));
    const namesHidden = ({ text }: { readonly text: string }): boolean => {
      const words = new Set(text.split(/[^\w.-]+/).flatMap((word) => [word, word.replace(/\.$/, "")]));
      return hidden.some((id) => words.has(id));
    };
    const own = row.advice.filter(({ code }) => code !== "known_apps");
    const advice = own.filter((one) => !namesHidden(one));
    const isKept = advice.length === own.length;
    const isListed = known.length > 0 && (!isKept || own.length < row.advice.length);
    const which = isListed ? [`${isKept ? "" : "No app of this session has this id. "}Apps: ${known.join(", ")}.`] : [];
    const { reason: why, behaviour, change: advised } = explain({ ...row, advice });
    const change = [...aboutFault, ...advised, ...which];
    const data = { ...row, advice, why, change, behaviour, requestBody: row.request.body };
    const [first = why ?? "It did not fail.", ...rest] = change;
    const last = why === null || change.length === 0 ? [] : [`Reason: ${why}.`];
    return { text: [`${requestWords(row)}: ${first}`, ...rest, ...last].join("\n"), data };
  },
});

/** @see the file */
export const REQUEST_TOOLS: readonly Tool[] = [explainFailure, listRequests];
