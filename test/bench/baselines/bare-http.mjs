/** The bare baseline: `node:http` and plain maps, nothing else. */
import { createServer } from "node:http";
import {
  byPhone,
  codes,
  createProfile,
  createSession,
  listProfiles,
  profiles,
  sendPasscode,
  updateProfile,
} from "./service.mjs";

/**
 * @param {import("node:http").IncomingMessage} req
 * @param {(body: any) => void} then
 */
const readJson = (req, then) => {
  /** @type {Buffer[]} */
  const chunks = [];
  req.on("data", (chunk) => chunks.push(chunk));
  req.on("end", () => then(JSON.parse(Buffer.concat(chunks).toString("utf8"))));
};

/**
 * @param {import("node:http").ServerResponse} res
 * @param {number} status
 * @param {unknown} body
 */
const send = (res, status, body) => {
  const text = body === undefined ? "" : JSON.stringify(body);
  res.writeHead(status, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(text) });
  res.end(text);
};

const server = createServer((req, res) => {
  const url = req.url ?? "/";
  if (url === "/v1/users/session")
    readJson(req, (body) => {
      const { phone } = body.user;
      const known = byPhone.get(phone);
      if (req.method === "POST" && known !== undefined) {
        sendPasscode(phone);
        send(res, 202, undefined);
        return;
      }
      if (req.method === "PUT" && (known === undefined || codes.get(phone) !== body.passcode)) {
        send(res, 401, {});
        return;
      }
      codes.delete(phone);
      void createSession((known ?? createProfile(body.user)).userId).then((session) => send(res, 200, session));
    });
  else if (url.startsWith("/code/")) send(res, 200, codes.get(url.slice(6)));
  else if (url.startsWith("/v1/profiles/")) {
    const profile = profiles.get(url.slice(13));
    if (profile === undefined) send(res, 404, {});
    else if (req.method === "GET") send(res, 200, profile);
    else readJson(req, (body) => send(res, 200, updateProfile(profile, body)));
  } else if (url.startsWith("/v1/profiles")) send(res, 200, listProfiles(1, 25));
  else send(res, 404, {});
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  console.log(JSON.stringify({ event: "ready", port: typeof address === "object" ? address?.port : 0 }));
});
