/** The measured operations: those that apps and backends use most. */

/** @typedef {import("./client.mjs").Client} Client */
/** @typedef {import("./servers.mjs").Server} Server */

/** The app of the fixtures. */
export const APP = { appId: "bench", secret: "sk_local_bench" };
const SECRET = { Authorization: `Bearer ${APP.secret}` };
const TEXT = { Accept: "text/plain" };

/**
 * What a run knows about the users on a server.
 *
 * @typedef {object} Users
 * @property {string[]} ids of the profiles in the fixtures, shuffled
 * @property {string[]} phones likewise
 * @property {number} signedUp
 */

/**
 * @param {import("./client.mjs").Reply} reply
 * @param {number} status
 */
const expect = (reply, status) => {
  if (reply.status !== status) throw new Error(`expected ${status}, got ${reply.status}: ${reply.body.slice(0, 300)}`);
  return reply.body;
};

/** @param {string[]} list @param {number} i */
const pick = (list, i) => list[i % list.length] ?? "";

/**
 * @typedef {object} Operation
 * @property {string} name
 * @property {number} count per round
 * @property {(client: Client, server: Server, users: Users, i: number) => Promise<unknown>} run
 */

/** @param {Server} server */
const isStagedoor = (server) => server.name === "Stagedoor";

/** @type {Operation[]} */
export const OPERATIONS = [
  {
    name: "sign-up",
    count: 4_000,
    run: async (client, server, users) => {
      const phone = `+1303${5_000_000 + users.signedUp++}`;
      const body = { appId: APP.appId, user: { phone } };
      expect(await client.ask(server.auth, "POST", "/v1/users/session", {}, body), 200);
    },
  },
  {
    name: "OTP login",
    count: 4_000,
    run: async (client, server, users, i) => {
      const phone = pick(users.phones, i);
      const body = { appId: APP.appId, user: { phone } };
      expect(await client.ask(server.auth, "POST", "/v1/users/session", {}, body), 202);
      const path = isStagedoor(server)
        ? `/emulator/v1/passcodes/latest?to=${phone.replace("+", "%2B")}&appId=${APP.appId}`
        : `/code/${phone}`;
      const read = expect(await client.ask(server.console, "GET", path, isStagedoor(server) ? TEXT : {}), 200);
      const passcode = read.replace(/\D/g, "");
      expect(await client.ask(server.auth, "PUT", "/v1/users/session", {}, { ...body, passcode }), 200);
    },
  },
  {
    name: "get one",
    count: 10_000,
    run: async (client, server, users, i) =>
      expect(await client.ask(server.admin, "GET", `/v1/profiles/${pick(users.ids, i)}`, SECRET), 200),
  },
  {
    name: "list",
    count: 5_000,
    run: async (client, server) => expect(await client.ask(server.admin, "GET", "/v1/profiles", SECRET), 200),
  },
  {
    name: "update",
    count: 8_000,
    run: async (client, server, users, i) => {
      const body = { name: `Name ${i}`, metadata: { favoriteColor: "teal", visits: i } };
      expect(await client.ask(server.admin, "PUT", `/v1/profiles/${pick(users.ids, i)}`, SECRET, body), 200);
    },
  },
];

/** @param {string} name @returns {Operation} */
export const operationOf = (name) => {
  const found = OPERATIONS.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no operation "${name}".`);
  return found;
};
