/** Sends responses: the one place that writes status, headers and body, and closes the row of the request log. */
import type { Response } from "express";
import { type EffectiveSettings, effectiveSettings } from "#contract/service/effective-settings.ts";
import { type Problem, problems, statusPhrase, whatToDo } from "#contract/service/problems.ts";
import { clockOffset } from "#domain/clock.ts";
import { TAKEN } from "#domain/profile-rules.ts";
import type { AppWorld } from "#domain/world.ts";
import type { Deps } from "../deps.ts";
import type { Answers, Headers } from "../handler.ts";
import { type Ending, type Exchange, exchangeOf } from "../traffic/exchange.ts";
import { sendPieces } from "./send-pieces.ts";

/** The default media type of a response. */
export const JSON_TYPE = "application/json; charset=utf-8";

/** A body up to this size in bytes is written together with the headers. */
const ONE_WRITE = 15_000;

/** @returns a rejected profile with the status from the app's settings (D7, D9); other refusals unchanged. */
const ofProfile = (problem: Problem, app: AppWorld | undefined): Problem => {
  const { code, fields = {} } = problem;
  if (app === undefined || code !== "invalid_fields") return problem;
  const { invalidStatus, takenStatus } = effectiveSettings(app.app.settings).profiles;
  const status = Object.values(fields).every((texts) => texts === TAKEN) ? takenStatus : invalidStatus;
  if (status === 422) return problem;
  const instruction = Object.entries(fields).map(([field, texts]) => `${field} ${texts.join(", ")}`);
  return { ...problem, status, instruction: `${instruction.join("; ")}.` };
};

/** @param common headers of every response. @param logged whether responses are rows in the request log. */
export const createAnswers = (
  deps: Pick<Deps, "env" | "observers" | "listeners" | "store">,
  common: Headers,
  logged: boolean,
): Answers => {
  const close = (
    exchange: Exchange,
    status: number,
    headers: Headers,
    body: Buffer | null,
    ending: Ending = "answered",
  ): void => {
    exchange.left = ending === "left";
    exchange.close(status, headers, body, deps.env.monotonic());
    for (const hear of deps.observers.closed)
      deps.listeners.call("What hears of ended requests", () => hear(exchange, ending));
  };
  const appOf = ({ appId }: Exchange) => (appId === null ? undefined : deps.store.world.app(appId));
  const headersOf = (exchange: Exchange): Record<string, string> => {
    const headers: Record<string, string> = { ...common };
    if (logged) headers["Emulator-Request-Id"] = exchange.id;
    if (exchange.fault !== null) headers["Emulator-Fault"] = exchange.fault;
    if (exchange.listener === "auth") {
      const offset = clockOffset(deps.store.world, appOf(exchange), deps.env.realNow());
      if (offset !== undefined) headers["Emulator-Clock-Offset"] = String(offset);
    }
    return headers;
  };
  /** A fault decides what becomes of an answer. @param answer sends it. */
  const lose = (exchange: Exchange, status: number, answer: () => void): void => {
    const { aftermath, reason, check, decision } = exchange;
    exchange.aftermath = null;
    exchange.carriedOut = { status, reason };
    aftermath?.(exchange, () => {
      Object.assign(exchange, { carriedOut: null, reason, check, decision });
      answer();
    });
  };
  const send = (
    res: Response,
    status: number,
    text: string | Buffer | null,
    more?: Headers,
    contentType = JSON_TYPE,
  ): void => {
    const exchange = exchangeOf(res);
    if (exchange.aftermath !== null) {
      const { statusMessage } = res;
      res.statusMessage = "";
      lose(exchange, status, () => {
        res.statusMessage = statusMessage;
        send(res, status, text, more, contentType);
      });
      return;
    }
    if (res.destroyed) {
      // It was carried out all the same. What a fault has lost already stays.
      exchange.carriedOut ??= { status, reason: exchange.reason };
      Object.assign(exchange, { reason: null, check: null });
      close(exchange, 0, {}, null, "left");
      return;
    }
    const headers = headersOf(exchange);
    // As bytes: Node would encode the text anyway, and buffers in the log are outside the garbage-collected heap.
    const body = text === null ? null : Buffer.from(text);
    if (body !== null) {
      headers["Content-Type"] = contentType;
      headers["Content-Length"] = String(body.length);
    } else if (status !== 204) headers["Content-Length"] = "0";
    Object.assign(headers, more);
    res.writeHead(status, headers);
    if (body === null) res.end();
    else if (body.length > ONE_WRITE) res.end(body);
    // Node writes headers and text as one buffer, but headers and bytes as two.
    else res.end(body.length === text?.length ? text : body.toString("latin1"), "latin1");
    close(exchange, status, headers, body);
  };
  const stream = async (res: Response, status: number, pieces: Iterable<string>): Promise<void> => {
    const exchange = exchangeOf(res);
    const headers = { ...headersOf(exchange), "Content-Type": JSON_TYPE };
    const first = await sendPieces(res, pieces, {
      whole: (text) => send(res, status, text),
      begin: () => res.writeHead(status, headers),
    });
    if (first !== undefined) close(exchange, status, headers, first, res.destroyed ? "left" : "answered");
  };
  return {
    send,
    stream,
    withhold: (exchange: Exchange): void => close(exchange, 0, {}, null, "cut"),
    hangUp: (res: Response, how: "drop" | "reset"): void => {
      const ending = res.destroyed || res.socket?.destroyed === true ? "left" : "cut";
      // A TLS socket cannot be reset: the client sees a connection that ends without a closing alert.
      if (how === "reset" && exchangeOf(res).scheme === "http") res.socket?.resetAndDestroy();
      else res.socket?.destroy();
      close(exchangeOf(res), 0, {}, null, ending);
    },
    refuse: (res: Response, refusal: Problem): void => {
      const exchange = exchangeOf(res);
      const app = exchange.listener === "console" ? undefined : appOf(exchange);
      const problem = exchange.listener === "admin" && exchange.method !== "GET" ? ofProfile(refusal, app) : refusal;
      const { decision }: { decision?: string } = problems[problem.code];
      const status = statusOf(problem);
      exchange.reason = problem.code;
      exchange.fields = problem.fields ?? exchange.fields;
      if (decision !== undefined) exchange.decision = decision;
      const headers: Record<string, string> = { "Emulator-Reason": problem.code };
      // The body of a 422 has no `instruction`.
      if (status === 422 && problem.code === "invalid_fields" && problem.instruction !== undefined)
        headers["Emulator-Instruction"] = problem.instruction;
      const errorId = problem.code === "internal" ? exchange.id : undefined;
      const errors = app && effectiveSettings(app.app.settings).errors;
      // Node's reason phrases differ from the body's `message` for a few statuses.
      res.statusMessage = statusPhrase(status);
      const text = JSON.stringify(refusalBody(problem, errors, errorId));
      send(res, status, text, { ...headers, ...problem.headers });
    },
  };
};

const statusOf = (problem: Problem): number => problem.status ?? problems[problem.code].status;

/** @param errors the settings of the app, if it is known. @param errorId only for a 500. @returns the body. */
const refusalBody = (problem: Problem, errors?: EffectiveSettings["errors"], errorId?: string): object => {
  const status = statusOf(problem);
  if (status === 422 && problem.fields !== undefined)
    return errors?.fields === "nested" ? { errors: problem.fields } : problem.fields;
  const instruction = whatToDo(problem);
  const body = errors?.shape === "error" ? { error: instruction } : { message: statusPhrase(status), instruction };
  return { ...body, ...problem.more, ...(errorId !== undefined && { errorId }) };
};
