/**
 * The operation table, from which routing, handler types, OpenAPI and the possible errors follow: rows of
 * the kernel, then those of features.
 */
import type { z } from "zod";
import { featureRoutes } from "#features/parts.ts";
import type { JsonObject } from "../scalars.ts";
import type { EffectiveSettings } from "../service/effective-settings.ts";
import { type ProblemCode, problems } from "../service/problems.ts";
import { kernelRoutes } from "./kernel-routes.ts";
import type { Listener, Row } from "./rows.ts";

/** One row of the table. */
export interface Operation extends Row {
  readonly queryOf?: (settings: EffectiveSettings) => z.ZodObject;
  readonly problems: readonly ProblemCode[];
}

/** The table. */
export const routes = { ...kernelRoutes, ...featureRoutes } as const;

export type { Listener } from "./rows.ts";

/** The name of an operation. */
export type OperationId = keyof typeof routes;
/** The name of an operation of the kernel. */
export type KernelOperationId = keyof typeof kernelRoutes;
/** The row of an operation. */
export type Route<K extends OperationId> = (typeof routes)[K];
/** The parsed query of a handler. */
export type QueryOf<K extends OperationId> =
  Route<K> extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : undefined;
/** The parsed body of a handler; the raw JSON object if the domain validates it. */
export type BodyOf<K extends OperationId> =
  Route<K> extends { readonly checkedBy: "rule" }
    ? JsonObject
    : Route<K> extends { readonly body: infer B extends z.ZodType }
      ? z.output<B>
      : undefined;
/** A success status of an operation. */
export type StatusOf<K extends OperationId> = Extract<keyof Route<K>["answers"], number>;
/** The value of a success response, before serialisation. */
export type AnswerOf<K extends OperationId, S extends StatusOf<K> = StatusOf<K>> = Route<K>["answers"] extends infer A
  ? S extends keyof A
    ? A[S] extends z.ZodType
      ? z.input<A[S]>
      : null
    : never
  : never;

const OF_LISTENER: Readonly<Record<Listener, readonly ProblemCode[]>> = {
  admin: ["misdirected_host", "fault_injected"],
  auth: ["fault_injected"],
  console: ["misdirected_host", "foreign_origin", "missing_access_token", "app_ended"],
};
const OF_BODY: readonly ProblemCode[] = [
  "not_json",
  "encoded_body",
  "body_too_large",
  "body_not_utf8",
  "body_too_deep",
  "malformed_json",
  "body_not_object",
];

/** @returns whether it is part of the emulated service, rather than of the emulator. */
export const isEmulated = ({ listener, path }: Operation): boolean =>
  listener !== "console" && !path.startsWith("/emulator/");

/** @returns whether a body is read. The control API reads one that it does not expect too, so that nothing is ignored. */
export const readsBody = ({ body, listener, method }: Operation): boolean =>
  body !== undefined || (listener === "console" && method !== "GET");

/** @returns the errors of an operation, its own and those of its listener, by status and then in table order. */
export const refusalsOf = (operation: Operation): readonly ProblemCode[] => {
  const may = new Set<ProblemCode>([...operation.problems, ...OF_LISTENER[operation.listener]]);
  if (!isEmulated(operation)) may.delete("fault_injected");
  for (const code of ["bad_target", "bad_host", "internal"] as const) may.add(code);
  if (operation.heavy !== undefined) may.add("busy");
  if (operation.path.includes(":")) may.add("malformed_path");
  if (operation.auth === "secret") may.add("missing_secret").add("unknown_secret");
  if (operation.body !== undefined && operation.listener !== "console") may.add("body_too_complex");
  if (readsBody(operation)) for (const code of OF_BODY) may.add(code);
  if (operation.listener === "console") {
    may.add("invalid_fields");
    if (operation.query?.shape["appId"] !== undefined) may.add("unknown_record");
  } else if (operation.body !== undefined || operation.query !== undefined) may.add("invalid_fields");
  if (operation.method !== "GET")
    for (const code of ["disk_full", "disk_failed", "data_folder_missing", "taken_over", "share_used_up"] as const)
      may.add(code);
  const known = Object.keys(problems);
  return [...may].sort((a, b) => problems[a].status - problems[b].status || known.indexOf(a) - known.indexOf(b));
};
