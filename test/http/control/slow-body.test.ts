/** Changes while a request body is arriving: the request is handled in the state at its end. */
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunningServer } from "#server/server.ts";
import { clientsOf } from "#test/hosts/client.ts";
import { startInProcess } from "#test/hosts/in-process.ts";

let server: RunningServer;
const { admin, control, as } = clientsOf(() => server);
beforeAll(async () => {
  server = await startInProcess();
});
afterAll(() => server.close());

const BODY = '{"name":"late"}';

/** Sends the head and half the body of a request. @returns sends the rest and resolves to the response status. */
const begin = async (method: string, path: string, secret: string): Promise<() => Promise<number>> => {
  const { hostname, port } = new URL(server.urls.admin);
  const socket: Socket = connect(Number(port), hostname);
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${secret}\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + BODY.slice(0, 5), () => resolve()));
  // A response to another request proves that the server has processed this one.
  await admin("GET", "/v1/profiles?limit=1");
  return async () => {
    socket.write(BODY.slice(5));
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
  };
};

test("returns 401 and writes nothing if the app is deleted while the body is arriving", async () => {
  const { appId, secret } = (await control("POST", "/apps", {})).json;
  const rest = await begin("POST", "/v1/profiles", secret);
  expect((await control("DELETE", `/apps/${appId}`)).status).toBe(204);
  expect(await rest()).toBe(401);
});

test("creates the profile in the new state if everything is reset while the body is arriving", async () => {
  const rest = await begin("POST", "/v1/profiles", "sk_local_demo");
  expect((await control("DELETE", "/state")).status).toBe(204);
  expect(await rest()).toBe(201);
  expect((await admin("GET", "/v1/profiles")).headers.get("Total-Count")).toBe("13");
});

test("returns 404 if the profile is deleted while the body is arriving", async () => {
  const { userId } = (await admin("POST", "/v1/profiles", {})).json;
  const rest = await begin("PUT", `/v1/profiles/${userId}`, "sk_local_demo");
  expect((await as("sk_local_demo")("DELETE", `/v1/profiles/${userId}`)).status).toBe(204);
  expect(await rest()).toBe(404);
});
