/** The ids by which tracing tools and clients name a request, in its headers. */

/** Headers that have an id, in lower case, and where it stands in them. */
const HEADERS: readonly (readonly [name: string, id: RegExp])[] = [
  ["traceparent", /^[^-]*-([^-]+)/],
  ["b3", /^([^-]+)/],
  ["x-b3-traceid", /^(.+)$/],
  ["sentry-trace", /^([^-]+)/],
  ["uber-trace-id", /^([^:]+)/],
  ["x-datadog-trace-id", /^(.+)$/],
  ["x-amzn-trace-id", /\bRoot=([^;]+)/i],
  ["x-cloud-trace-context", /^([^/]+)/],
  ["x-request-id", /^(.+)$/],
  ["x-correlation-id", /^(.+)$/],
];

/** Headers of a request, with names in lower case. */
type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** @returns the ids of the traces that a request belongs to, as sent; that of a tracing standard first. */
export const traceIdsOf = (headers: Headers): string[] =>
  HEADERS.flatMap(([name, id]) => {
    const value = headers[name];
    const found = typeof value === "string" ? id.exec(value.trim())?.[1] : undefined;
    return found === undefined ? [] : [found];
  });

/** @returns whether a request belongs to a trace. @param sought its id or how that begins, in any case. */
export const isOfTrace = (headers: Headers, sought: string): boolean =>
  traceIdsOf(headers).some((id) => id.toLowerCase().startsWith(sought.toLowerCase()));
