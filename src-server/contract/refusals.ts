/**
 * Everything that an operation may refuse: what its row names, and what the listener refuses before it is reached
 * (CONTRACT 1 and 5).
 */
import { type ProblemCode, problems } from "./problems.ts";
import type { Listener, Operation } from "./routes.ts";

const OF_LISTENER: Readonly<Record<Listener, readonly ProblemCode[]>> = {
  admin: ["misdirected_host", "fault_injected"],
  auth: ["fault_injected"],
  console: ["misdirected_host", "foreign_origin", "missing_access_token"],
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

/** @returns the refusals of an operation, by status and then in the order of the error table. */
export const refusalsOf = (operation: Operation): readonly ProblemCode[] => {
  const may = new Set<ProblemCode>([...operation.problems, ...OF_LISTENER[operation.listener]]);
  for (const code of ["bad_target", "bad_host", "internal"] as const) may.add(code);
  if (operation.path.includes(":")) may.add("malformed_path");
  if (operation.auth === "secret") may.add("missing_secret").add("unknown_secret");
  if (operation.body !== undefined) for (const code of OF_BODY) may.add(code);
  // The console looks at the kind of a body that it does not read: no form of a web page sets anything off.
  else if (operation.listener === "console" && operation.method !== "GET") may.add("not_json").add("encoded_body");
  if (operation.body !== undefined || operation.query !== undefined) may.add("invalid_fields");
  if (operation.method !== "GET") may.add("disk_full").add("disk_failed");
  const known = Object.keys(problems);
  return [...may].sort((a, b) => problems[a].status - problems[b].status || known.indexOf(a) - known.indexOf(b));
};
