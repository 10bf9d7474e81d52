/**
 * The only `fetch`: calls of the control API, typed and checked by the contract's operation table.
 */
import { z } from "zod";
import { errorBody, fieldErrorsBody } from "#contract/problems.ts";
import type { Operation } from "#contract/routes.ts";
import type { JsonObject } from "#contract/scalars.ts";
import { RequestFailed } from "./request-failed.ts";

type ParamsOf<Path extends string> = Path extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | ParamsOf<`/${Rest}`>
  : Path extends `${string}/:${infer Name}`
    ? Name
    : never;
/** What the rules of the server check is sent as it was typed: they say what is wrong with it. */
type Body<R extends Operation, B extends z.ZodType> = R extends { readonly checkedBy: "rule" }
  ? z.input<B> | JsonObject
  : z.input<B>;
type Input<R extends Operation> = {
  readonly signal?: AbortSignal;
} & ([ParamsOf<R["path"]>] extends [never]
  ? object
  : { readonly params: Readonly<Record<ParamsOf<R["path"]>, string>> }) &
  (R extends { readonly query: infer Q extends z.ZodType } ? { readonly query?: z.input<Q> } : object) &
  (R extends { readonly body: infer B extends z.ZodType } ? { readonly body: Body<R, B> } : object);
type Loose = {
  readonly signal?: AbortSignal;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: unknown;
};

const addressOf = (path: string, { params = {}, query = {} }: Loose): string => {
  const filled = path.replace(/:([A-Za-z]+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `${filled}?${search}` : filled;
};

const refusal = async (response: Response): Promise<RequestFailed> => {
  const body: unknown = await response.json().catch(() => undefined);
  const fields = fieldErrorsBody.safeParse(body);
  if (response.status === 422 && fields.success) {
    const lines = Object.entries(fields.data).map(([field, faults]) => `${field} ${faults.join(", ")}`);
    return new RequestFailed(422, lines.join("; "), fields.data);
  }
  const words = errorBody.safeParse(body);
  if (words.success) return new RequestFailed(response.status, `${words.data.message}. ${words.data.instruction}`);
  return new RequestFailed(response.status, `The server answered ${response.status}.`);
};

const send = async (route: Operation, input: Loose): Promise<Response> => {
  const body = input.body === undefined ? {} : { body: JSON.stringify(input.body) };
  const headers = input.body === undefined ? {} : { headers: { "Content-Type": "application/json" } };
  const signal = input.signal === undefined ? {} : { signal: input.signal };
  const request = { method: route.method, ...body, ...headers, ...signal };
  const response = await fetch(addressOf(route.path, input), request).catch((error: unknown) => {
    if (input.signal?.aborted) throw error;
    throw new RequestFailed(0, "Stagedoor does not answer.");
  });
  if (!response.ok) throw await refusal(response);
  return response;
};

/**
 * Calls an operation that answers with a body.
 *
 * @throws RequestFailed when it is refused, or the server is away, or answers in a shape that the contract does not know
 */
export const ask = async <R extends Operation, T>(
  route: R & { readonly answers: Readonly<Record<number, z.ZodType<T> | null>> },
  input: Input<NoInfer<R>>,
): Promise<T> => {
  const response = await send(route, input);
  const shape: z.ZodType<T> | null | undefined = route.answers[response.status];
  if (shape === undefined || shape === null) throw new RequestFailed(response.status, "The server gave no answer.");
  const answer = z.safeParse(shape, await response.json());
  if (answer.success) return answer.data;
  throw new RequestFailed(response.status, "The answer is not of the shape that this page knows. Reload the page.");
};

/** Calls an operation that answers without a body. @throws RequestFailed, as `ask`. */
export const tell = async <R extends Operation>(route: R, input: Input<R>): Promise<void> => {
  await send(route, input);
};
