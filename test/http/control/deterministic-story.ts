/** About thirty requests of all kinds to a deterministic app, successful and failing, in a fixed order. */
import type { Clients, Reply } from "#test/hosts/client.ts";

/** The app of the story; `iss` and `aud` do not depend on the ports. */
export const APP = {
  appId: "repeats",
  secret: "sk_repeats",
  settings: {
    "deterministic.seed": "a story",
    "token.issuer": "https://issuer.example",
    "token.audience": "https://audience.example",
  },
};
const ANN = { phone: "+12025550101" };
const BOB = { phone: "+12025550102" };
const SESSION = "/v1/users/session";

/** Removes change numbers, which belong to the store: they continue after a reset, and other apps use some. */
export const withoutSeq = (text: string): string => text.replaceAll(/"seq":\d+/g, '"seq":0');

/** The repeatable part of a response: of a token its claims, since ES256 signatures are random. */
const told = ({ status, reason, text, json, headers }: Reply, path: string): string => {
  const claims = typeof json?.token === "string" ? Buffer.from(json.token.split(".")[1], "base64url").toString() : "";
  const shown = claims === "" ? text : JSON.stringify({ ...json, token: claims });
  // Passcodes and sessions include the id of their request.
  const isCarried = path === SESSION && status < 300;
  const request = isCarried ? headers.get("Emulator-Request-Id") : "";
  return [status, reason ?? "", request, withoutSeq(shown)].join(" ");
};

/** What the first part of the story leaves for the second. */
export interface Memory {
  annId: string;
  bobId: string;
}

/** The calls of a server, each recorded. */
const noting = ({ as, auth, control }: Clients, { appId, secret }: typeof APP, notes: string[]) => {
  const noted =
    (call: Clients["auth"]): Clients["auth"] =>
    async (method, path, body) => {
      const reply = await call(method, path, body);
      notes.push(`${method} ${path.replace(/[0-9a-f-]{36}/g, "…")} ${told(reply, path)}`);
      return reply;
    };
  const sign = noted(auth);
  return {
    admin: noted(as(secret)),
    control: noted(control),
    start: (user: object) => sign("POST", SESSION, { appId, user }),
    login: (user: object, passcode: unknown) => sign("PUT", SESSION, { appId, user, passcode }),
    code: async (to: string): Promise<string> => {
      const latest = `/passcodes/latest?appId=${appId}&status=any&to=${encodeURIComponent(to)}`;
      return (await control("GET", latest)).json.code;
    },
  };
};

/** The first half. @returns the responses. */
export const firstHalf = async (clients: Clients, memory: Memory, app = APP): Promise<string[]> => {
  const notes: string[] = [];
  const { admin, control, start, login, code } = noting(clients, app, notes);
  const { appId } = app;
  memory.annId = (await start({ ...ANN, name: "Ann" })).json.userId;
  await start({ name: "nobody" });
  memory.bobId = (await admin("POST", "/v1/profiles", { ...BOB, metadata: { favorite_color: "red" } })).json.userId;
  await admin("POST", "/v1/profiles", BOB);
  await start(ANN);
  await login(ANN, "wrong");
  await login(ANN, await code(ANN.phone));
  await login(ANN, await code(ANN.phone));
  await login({ phone: "+12025550199" }, "123456");
  await admin("PUT", `/v1/profiles/${memory.bobId}`, { name: "Bob", metadata: { size: 2 } });
  await admin("GET", "/v1/profiles");
  await admin("DELETE", "/v1/profiles/00000000-0000-4000-8000-000000000000");
  await control("POST", "/connections", { appId, userId: memory.annId, name: "Mail", managed: true });
  await control("POST", "/connections", { appId, userId: memory.bobId, name: "Bank", managed: true });
  await control("POST", "/sessions", { appId, userId: memory.bobId });
  await control("GET", `/clock?appId=${appId}`);
  return notes;
};

/** The second half. @returns the responses. */
export const secondHalf = async (clients: Clients, memory: Memory, app = APP): Promise<string[]> => {
  const notes: string[] = [];
  const { admin, control, start, login, code } = noting(clients, app, notes);
  const { appId } = app;
  await start(BOB);
  await control("POST", `/clock/advance?appId=${appId}`, { seconds: 601 });
  await login(BOB, await code(BOB.phone));
  await start(BOB);
  await start(BOB);
  await login({ ...BOB, email: "not an address" }, await code(BOB.phone));
  await login({ ...BOB, email: "bob@example.com" }, await code(BOB.phone));
  await control("POST", "/passcodes", { appId, userId: memory.annId });
  await control("PATCH", `/apps/${appId}`, { name: "Repeats", settings: { "passcode.length": 8 } });
  await start(ANN);
  await admin("DELETE", `/v1/profiles/${memory.annId}`);
  await admin("GET", `/v1/profiles/${memory.annId}`);
  const state = { version: 1, apps: [{ appId, profiles: [{ phone: "+12025550103" }, { name: "without a phone" }] }] };
  await control("PUT", `/state?appId=${appId}`, { mode: "merge", state });
  await start(ANN);
  await control("DELETE", `/sessions?appId=${appId}&userId=${memory.bobId}`);
  await control("GET", `/clock?appId=${appId}`);
  return notes;
};

/** The app's entire content as text: its state with passcodes, sessions and clock. */
export const whole = async ({ control }: Clients, { appId } = APP): Promise<string> =>
  (await control("GET", `/state?appId=${appId}&volatile=1`)).text;

/** The lists of passcodes and sessions, as text. */
export const lists = async ({ control }: Clients, { appId } = APP): Promise<string> =>
  (await control("GET", `/passcodes?appId=${appId}`)).text + (await control("GET", `/sessions?appId=${appId}`)).text;
