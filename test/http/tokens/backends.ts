/** Backends for a token check: a correct one, and some with one defect each. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  decodeJwt,
  type JWTVerifyGetKey,
  type JWTVerifyOptions,
  jwtVerify,
  type RemoteJWKSetOptions,
} from "jose";
import { onTestFinished } from "vitest";
import { listen } from "#test/hosts/listen.ts";

/** A running backend and the requests it received. */
export interface Backend {
  readonly port: number;
  readonly url: string;
  readonly seen: { readonly method: string; readonly headers: IncomingMessage["headers"]; readonly body: string }[];
}

/** @returns a server on loopback until the test ends. */
export const listenWith = async (answer: (body: string) => RequestListener, host = "127.0.0.1"): Promise<Backend> => {
  const seen: Backend["seen"] = [];
  const server = createServer(async (req, res) => {
    const chunks: Buffer[] = [];
    for await (const chunk of req) chunks.push(Buffer.from(chunk));
    const body = Buffer.concat(chunks).toString();
    seen.push({ method: req.method ?? "", headers: req.headers, body });
    answer(body)(req, res);
  });
  const port = await listen(server, host);
  onTestFinished(() => void server.close().closeAllConnections());
  return { port, url: `http://${host}:${port}/me`, seen };
};

/** Backends that leave a caller waiting, by what they do: nothing; or a head and the beginning of a body, then nothing. */
export const MUTE: readonly (readonly [how: string, listener: RequestListener])[] = [
  ["never answers", () => undefined],
  ["stalls in the middle of its answer", (_req, res) => void res.writeHead(200).write("begun")],
];

const bearer = (req: IncomingMessage): string => (req.headers.authorization ?? "").replace(/^Bearer /, "");

const jwksUrl = (auth: string): URL => new URL("/.well-known/jwks.json", auth);

/** @returns the keys as jose reads them. */
export const keysOf = (auth: string, options?: RemoteJWKSetOptions): JWTVerifyGetKey =>
  createRemoteJWKSet(jwksUrl(auth), options);

/** @returns the keys as a backend has them that reads the JWKS once: at its start, or with the first token. */
export const keysOnce = async (auth: string, when: "start" | "first token"): Promise<JWTVerifyGetKey> => {
  const read = async () => createLocalJWKSet(await (await fetch(jwksUrl(auth))).json());
  let keys = when === "start" ? read() : undefined;
  await keys;
  return (...given) => {
    keys ??= read();
    return keys.then((local) => local(...given));
  };
};

/** @returns whether jose accepts a token. @param options what a careless backend leaves out. */
export const verifier = (auth: string, options: JWTVerifyOptions, jwks = keysOf(auth)) => {
  return async (req: IncomingMessage): Promise<boolean> =>
    await jwtVerify(bearer(req), jwks, options).then(
      () => true,
      () => false,
    );
};

/** @returns a backend that also accepts unsigned tokens. */
export const takingNone = (verify: (req: IncomingMessage) => Promise<boolean>) => async (req: IncomingMessage) => {
  if (!bearer(req).endsWith(".")) return await verify(req);
  return decodeJwt(bearer(req)).sub !== undefined;
};

/** @returns a handler that returns 200 or 401. */
export const plainly = (verify: (req: IncomingMessage) => Promise<boolean>) => (): RequestListener => (req, res) => {
  void verify(req).then((passes) => res.writeHead(passes ? 200 : 401).end("{}"));
};

/** @returns a handler that always returns 200, like GraphQL. */
export const asGraphql = (verify: (req: IncomingMessage) => Promise<boolean>) => (): RequestListener => (req, res) => {
  void verify(req).then((passes) => {
    const answer = passes ? { data: { me: {} } } : { data: null, errors: [{ message: "not signed in" }] };
    res.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(answer));
  });
};

/** @returns a handler that redirects rejected requests. */
export const redirecting =
  (verify: (req: IncomingMessage) => Promise<boolean>, to: string) => (): RequestListener => (req, res) => {
    void verify(req).then((passes) => (passes ? res.end("{}") : res.writeHead(302, { Location: to }).end()));
  };
