import { createServer } from "node:http";
import express from "express";
import { expect, test } from "vitest";
import { messageClasses } from "#http/message-classes.ts";
import { listen } from "#test/hosts/listen.ts";

test("requests and responses have Express's prototypes, and everything Express adds, from the start", async () => {
  const app = express();
  app.get("/seen/:name", (req, res) => {
    res.json({ app: req.app === app && res.app === app, name: req.params.name, ip: typeof req.ip });
  });
  const classes = messageClasses(app);
  const before: unknown[] = [];
  const server = createServer(classes, (req, res) => {
    before.push(Object.getPrototypeOf(req) === app.request, Object.getPrototypeOf(res) === app.response);
    app(req, res);
  });
  const port = await listen(server);
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/seen/ada`);
    expect(await answer.json()).toEqual({ app: true, name: "ada", ip: "string" });
    expect(before).toEqual([true, true]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
