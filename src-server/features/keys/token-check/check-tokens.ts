/** Calls a backend with valid and defective tokens. The checked address is called; redirects are not followed. */

import { type IncomingMessage, type RequestOptions, request } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { joinSignals } from "#client/signals.ts";
import { BOUNDS } from "#contract/bounds.ts";
import { invalid, type Problem } from "#contract/service/problems.ts";
import { type Defect, isAdvice } from "#contract/service/token-defects.ts";
import { parsedJson } from "#contract/words/parsed-json.ts";
import { hostOf } from "#server/boot/addresses.ts";
import { type Lookup, lookupAll } from "#server/boot/url-check.ts";
import { isLocalAddress } from "./check-address.ts";
import type { TokenCheckAnswer, TokenCheckInput, TokenCheckItem } from "./contract/token-check.ts";

/** How much of a response is read, in UTF-16 code units; GraphQL errors come at its start. */
const BODY_LENGTH = 262_144;
/** Maximum number of addresses of a name to try until one responds. */
const MOST_ADDRESSES = 8;
/** How often, at most, jose reads the JWKS again for an unknown key id, counted from the last time that it was read. */
const COOLDOWN_SECONDS = 30;

/** The response of a backend; `status` is null if there was none, and `error` says why. */
interface Reply {
  readonly status: number | null;
  readonly hasErrors: boolean;
  readonly error?: string;
}

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null ? Object.keys(value).length > 0 : value !== null && value !== undefined;

const hasErrors = (text: string): boolean =>
  [parsedJson(text)]
    .flat()
    .some((one) => typeof one === "object" && one !== null && "errors" in one && isFilled(one.errors));

const portOf = (url: URL): number => Number(url.port) || (url.protocol === "https:" ? 443 : 80);

const headersOf = ({ header = "Authorization", body }: TokenCheckInput, token: string): Record<string, string> => {
  const [name = "", value = /^authorization$/i.test(header) ? "Bearer {token}" : "{token}"] = header.split(/: (.*)/s);
  const type = typeof body === "string" && !/^\s*[{["]/.test(body) ? "text/plain" : "application/json";
  return {
    Accept: "application/json, */*;q=0.5",
    "User-Agent": "stagedoor-token-check",
    ...(body === undefined ? {} : { "Content-Type": `${type}; charset=utf-8` }),
    [name]: value.replaceAll("{token}", token),
  };
};

const readBody = async (response: IncomingMessage): Promise<string> => {
  let text = "";
  response.setEncoding("utf8");
  try {
    for await (const chunk of response) {
      text += chunk;
      if (text.length > BODY_LENGTH) break;
    }
  } catch {
    // Connection lost: judge what was received.
  }
  return text;
};

const call = (
  url: URL,
  address: string,
  input: TokenCheckInput,
  token: string,
  { signal, callMs = BOUNDS.tokenCheckMs.most }: Pick<CheckTools, "signal" | "callMs">,
): Promise<Reply> => {
  const limit = joinSignals([signal], callMs);
  return new Promise<Reply>((resolve) => {
    const { body, method = body === undefined ? "GET" : "POST" } = input;
    const sent = body === undefined ? undefined : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
    const host = hostOf(url);
    const length = sent === undefined ? {} : { "Content-Length": sent.length };
    const options: RequestOptions = {
      host: address,
      port: portOf(url),
      method,
      path: url.pathname + url.search,
      headers: { Host: url.host, ...headersOf(input, token), ...length },
      agent: false,
      signal: limit.signal,
    };
    // Backends on this machine and in private networks use self-signed certificates.
    const trust = { servername: isIP(host) === 0 ? host : "", rejectUnauthorized: !isLocalAddress(address) };
    const outgoing = url.protocol === "https:" ? requestSecure({ ...options, ...trust }) : request(options);
    const failed = (error: string) => resolve({ status: null, hasErrors: false, error });
    outgoing.on("error", ({ message, name }) =>
      failed(name === "AbortError" ? `no response within ${callMs / 1_000} s` : message),
    );
    // Without a listener Node would silently drop the connection.
    outgoing.once("upgrade", ({ statusCode = null }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, hasErrors: false });
    });
    outgoing.once("response", async (response) => {
      const text = await readBody(response);
      resolve({ status: response.statusCode ?? null, hasErrors: hasErrors(text) });
    });
    outgoing.end(sent);
  }).finally(limit.release);
};

const judge = (defect: Defect | null, reply: Reply, good: Reply): TokenCheckItem => {
  const { status } = reply;
  const isGood = good.status !== null && good.status < 400;
  const advice = defect !== null && isAdvice(defect);
  const verdict =
    status === 401 || status === 403 || (reply.hasErrors && !good.hasErrors)
      ? "refused"
      : isGood && status === good.status
        ? "accepted"
        : "unclear";
  const mustPass = defect === null || defect === "newKey";
  const ok = mustPass ? verdict === "accepted" : advice || verdict !== "accepted";
  return { defect, status, verdict, advice, ok };
};

/** Dependencies of a check. */
export interface CheckTools {
  /** Signs the tokens, one at a time; null: a valid one. */
  readonly sign: (defect: Defect | null) => Promise<string>;
  readonly defects: readonly Defect[];
  readonly addressError: (address: string, host: string, port: number) => string | undefined;
  /** Absent: the system's name resolution. */
  readonly lookup?: Lookup | undefined;
  readonly onWait?: (seconds: number) => void;
  readonly signal?: AbortSignal;
  /** How long a call may take, its body included, in milliseconds of real time; absent: as in the table of limits. */
  readonly callMs?: number;
}

const addressesOf = async (
  url: URL,
  { addressError, lookup = lookupAll }: CheckTools,
): Promise<readonly string[] | { readonly problem: Problem }> => {
  const host = hostOf(url);
  const found = isIP(host) === 0 ? await lookup(host).catch(() => []) : [{ address: host }];
  if (found.length === 0) return invalid({ url: [`has a host that cannot be resolved: ${host}`] });
  for (const { address } of found) {
    const error = addressError(address, host, portOf(url));
    if (error !== undefined) return invalid({ url: [error] });
  }
  return found.slice(0, MOST_ADDRESSES).map(({ address }) => address);
};

/** @returns how the backend responds to each token, or a 422 if its address must not be called. */
export const checkTokens = async (
  input: TokenCheckInput,
  tools: CheckTools,
): Promise<TokenCheckAnswer | { readonly problem: Problem }> => {
  const { signal, onWait } = tools;
  const url = new URL(input.url);
  const addresses = await addressesOf(url, tools);
  if ("problem" in addresses) return addresses;
  const token = await tools.sign(null);
  let good: Reply = { status: null, hasErrors: false };
  let address = "";
  for (address of addresses) {
    good = await call(url, address, input, token, tools);
    if (good.status !== null) break;
  }
  const first = judge(null, good, good);
  const items = [first];
  const judged = async (defect: Defect): Promise<TokenCheckItem> => {
    // If there is no response to the valid token, skip the others.
    const reply = good.status === null ? good : await call(url, address, input, await tools.sign(defect), tools);
    return judge(defect, reply, good);
  };
  for (const defect of tools.defects) {
    let item = await judged(defect);
    if (signal?.aborted === true) break;
    if (defect === "newKey" && first.ok && !item.ok) {
      // The good token may have been the first one, for which the backend has just read the JWKS.
      const { cooldownSeconds = COOLDOWN_SECONDS } = input;
      onWait?.(cooldownSeconds);
      await sleep(cooldownSeconds * 1_000, undefined, { ...(signal && { signal }) }).catch(() => undefined);
      item = await judged(defect);
    }
    items.push(item);
  }
  return { items, ok: items.every(({ ok }) => ok), ...(good.error === undefined ? {} : { error: good.error }) };
};
