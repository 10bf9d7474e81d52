/** Sends HTTP requests to a server under test and returns the response, read completely. */
import { Agent } from "node:http";
import type { RunningServer } from "#server/server.ts";
import { send } from "./send.ts";

/** The response. `json` is the parsed body, or undefined if it is not JSON. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a black-box test reads bodies as a client would, field by field
  readonly json: any;
  readonly reason: string | null;
}

/** Sends a request to one base URL. */
export type Call = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Reply>;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const agent = new Agent();

/** @param base URL without a path. @param common headers of every request; an object body is sent as JSON, a string as is. */
export const caller =
  (base: () => string, common: Readonly<Record<string, string>> = {}): Call =>
  async (method, path, body, headers = {}) => {
    const content = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const { origin, pathname, search } = new URL(base() + path);
    const type = content === undefined ? {} : { "Content-Type": "application/json" };
    // Not with `fetch`, which takes three times the processor time.
    const sent = await send(agent, origin, {
      method,
      target: pathname + search,
      headers: { "User-Agent": "node", ...type, ...common, ...headers },
      ...(content === undefined ? {} : { body: Buffer.from(content) }),
    });
    const answered = new Headers(
      Object.entries(sent.headers).flatMap(([name, value = []]) =>
        [value].flat().map((one): [string, string] => [name, one]),
      ),
    );
    return {
      status: sent.status,
      headers: answered,
      text: sent.text,
      json: parse(sent.text),
      reason: answered.get("Emulator-Reason"),
    };
  };

/** Calls of the three listeners; admin as the demo app unless told otherwise. */
export interface Clients {
  readonly admin: Call;
  readonly auth: Call;
  readonly control: Call;
  /** Admin with another app's secret. */
  as(secret: string): Call;
  /** The newest active code of a recipient. */
  code(to: string, appId?: string): Promise<string>;
}

/** @param server read at every call, so that a test can restart it. */
export const clientsOf = (server: () => RunningServer): Clients => {
  const as = (secret: string): Call => caller(() => server().urls.admin, { Authorization: `Bearer ${secret}` });
  const control = caller(() => `${server().urls.console}/emulator/v1`);
  return {
    admin: as("sk_local_demo"),
    auth: caller(() => server().urls.auth),
    control,
    as,
    code: async (to, appId) => {
      const app = appId === undefined ? "" : `&appId=${appId}`;
      return (await control("GET", `/passcodes/latest?to=${encodeURIComponent(to)}${app}`)).json.code;
    },
  };
};
