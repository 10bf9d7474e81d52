import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { connect } from "stagedoor/client";

const stagedoor = connect();
const appId = process.env.STAGEDOOR_APP_ID;
let endpoint;
let url;
before(async () => {
  endpoint = spawn(process.execPath, ["graphql.mjs"], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(endpoint.stdout, "data");
  [url] = /http:\S+/.exec(String(line));
});
after(() => endpoint.kill());

const ask = (token, query, variables) =>
  fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
const dataOf = async (response) => (await response.json()).data;

test("each user gets their own data, and a request without a token gets none", async () => {
  const ada = (await stagedoor.signInAs({ appId, phone: "+12025550100" })).token;
  const grace = (await stagedoor.signInAs({ appId, phone: "+12025550150", name: "Grace" })).token;
  const query = "{ me { id name phone orders { id total state } } }";
  const [first, again, other] = await Promise.all(
    [ada, ada, grace].map(async (token) => await dataOf(await ask(token, query))),
  );
  assert.equal(first.me.phone, "+12025550100");
  assert.equal(first.me.orders.length, 3);
  assert.deepEqual(again, first);
  assert.equal(other.me.phone, "+12025550150");
  assert.notDeepEqual(other.me.orders, first.me.orders);

  assert.equal((await ask(undefined, query)).status, 401);
  assert.equal((await ask(`${ada}x`, query)).status, 401);

  const renamed = await ask(grace, "mutation ($name: String!) { rename(name: $name) { name phone } }", {
    name: "Grace Hopper",
  });
  assert.deepEqual(await dataOf(renamed), { rename: { name: "Grace Hopper", phone: "+12025550150" } });
});
