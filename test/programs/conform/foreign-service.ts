/** An in-memory service that is not Stagedoor: it decides many points differently and has its own errors. For tests. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import express from "express";
import { listen } from "#test/hosts/listen.ts";

interface Person {
  id: string;
  name: string | null;
  phone: string | null;
  email: string | null;
  metadata: Record<string, unknown>;
  createdAt: string;
  updatedAt: string;
}

const SECRET = "foreign-secret";
const refusal = (title: string) => ({ type: "about:blank", title });

/** @returns its URLs, its content, and a function that stops it. */
export const startForeignService = async () => {
  const people: Person[] = [];
  const app = express();
  app.use(express.json());
  app.use("/v1/profiles", (req, res, next) => {
    if (req.get("Authorization") === `Bearer ${SECRET}`) next();
    else res.status(403).json(refusal("no"));
  });
  const shown = ({ id, ...rest }: Person) => ({ userId: id, ...rest });
  const found = (id: string): Person | undefined => people.find((one) => one.id === id);

  app.get("/v1/profiles", (req, res) => {
    // Sizes are truncated silently; the newest come first, in an envelope of its own.
    const size = Math.min(Number(req.query["pageSize"] ?? 10), 50);
    const page = Number(req.query["pageNumber"] ?? 1);
    res.json({
      profiles: people
        .toReversed()
        .slice((page - 1) * size, page * size)
        .map(shown),
      next: null,
    });
  });
  app.post("/v1/profiles", (req, res) => {
    const { name = null, phone = null, email = null, metadata = {}, ...others } = req.body;
    // Both are required and neither is unique; unknown fields are rejected.
    if (email === null || Object.keys(others).length > 0) return void res.status(400).json(refusal("bad"));
    const now = new Date().toISOString();
    const person = { id: randomUUID(), name, phone, email, metadata, createdAt: now, updatedAt: now };
    people.push(person);
    res.status(200).json(shown(person));
  });
  app.get("/v1/profiles/:id", (req, res) => {
    const person = found(req.params.id);
    if (person === undefined) res.status(410).json(refusal("gone"));
    else res.json(shown(person));
  });
  app.put("/v1/profiles/:id", (req, res) => {
    const person = found(req.params.id);
    if (person === undefined) return void res.status(410).json(refusal("gone"));
    const { metadata, ...fields } = req.body;
    if (Object.keys(fields).some((key) => !["name", "phone", "email"].includes(key)))
      return void res.status(400).json(refusal("bad"));
    const given = Object.entries(fields).filter(([, value]) => value !== null);
    Object.assign(person, Object.fromEntries(given), metadata === undefined || metadata === null ? {} : { metadata });
    person.updatedAt = new Date().toISOString();
    res.json(shown(person));
  });
  app.delete("/v1/profiles/:id", (req, res) => {
    const at = people.findIndex(({ id }) => id === req.params.id);
    if (at >= 0) people.splice(at, 1);
    res.status(at >= 0 ? 204 : 410).end();
  });
  app.post("/v1/users/session", (req, res) => {
    const { appId, user = {} } = req.body;
    if (appId !== "foreign-app") return void res.status(404).json(refusal("no app"));
    if (typeof user.email !== "string") return void res.status(400).json(refusal("email is missing"));
    if (people.some(({ email }) => email === user.email)) return void res.status(202).end();
    const now = new Date().toISOString();
    const id = randomUUID();
    people.push({ id, name: user.name, phone: null, email: user.email, metadata: {}, createdAt: now, updatedAt: now });
    res.status(201).json({ id: randomUUID(), expiration: Date.now() + 3_600_000, userId: id, token: "opaque" });
  });
  app.put("/v1/users/session", (_req, res) => void res.status(403).json(refusal("no")));
  app.use((_req, res) => void res.status(404).json(refusal("nothing here")));

  const server = createServer(app);
  const url = `http://127.0.0.1:${await listen(server)}`;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { urls: { adminUrl: url, authUrl: url, appId: "foreign-app", secret: SECRET }, people, close };
};
