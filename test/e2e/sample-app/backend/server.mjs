// @ts-check
/**
 * The app's own backend: it serves the page, tells it where the session interface is, and keeps the app's secret.
 */
import { createServer } from "node:http";
import { createProfiles } from "./profiles.mjs";

/** The most that a request may carry, in bytes. */
const MOST_BYTES = 10_000;

/**
 * @param {import("node:http").IncomingMessage} request
 * @returns {Promise<unknown>} its body, parsed; null if it is no JSON, or too much
 */
const bodyOf = async (request) => {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes <= MOST_BYTES) chunks.push(chunk);
  }
  try {
    return bytes > MOST_BYTES ? null : JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return null;
  }
};

/**
 * @param {import("./profiles.mjs").Service} service where the two interfaces are, which app this is, and its secret
 * @param {ReadonlyMap<string, import("./pages.mjs").Page>} pages
 * @returns {import("node:http").Server} not listening yet
 */
export const createBackend = (service, pages) => {
  const profiles = createProfiles(service);

  /**
   * @param {import("node:http").IncomingMessage} request
   * @returns {Promise<import("./profiles.mjs").Answer>}
   */
  const answer = async (request) => {
    const { method = "", url = "" } = request;
    if (url === "/config.json" && method === "GET")
      return { status: 200, body: { authUrl: service.authUrl, appId: service.appId } };
    if (url !== "/api/profile") return { status: 404, body: { message: "There is nothing here." } };
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
    if (method === "GET") return await profiles.mine(token);
    if (method === "PUT") return await profiles.mine(token, await bodyOf(request));
    return { status: 405, body: { message: "GET or PUT." }, headers: { Allow: "GET, PUT" } };
  };

  return createServer((request, response) => {
    const page = request.method === "GET" ? pages.get(request.url ?? "") : undefined;
    if (page !== undefined) {
      response.writeHead(200, { "Content-Type": page.type }).end(page.body);
      return;
    }
    answer(request).then(
      ({ status, body, headers }) =>
        response
          .writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store", ...headers })
          .end(JSON.stringify(body)),
      // The client went away while it was still sending.
      () => response.destroy(),
    );
  });
};
