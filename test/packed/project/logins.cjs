/**
 * What each worker does: it repeatedly signs in the same phone number, in an app of its own. Any interference would
 * show.
 */
const assert = require("node:assert/strict");

const LOGINS = 10;
const WORKERS = 8;
const user = { phone: "+12025550100" };

/** Waits for all workers, so that they really run at the same time. */
const meetTheOthers = async (client) => {
  const appId = "lobby";
  await client.apps.create({ appId }).catch((error) => assert.equal(error.status, 422));
  await client.profiles.create({ appId });
  const deadline = Date.now() + 120_000;
  while ((await client.profiles.list({ appId, limit: 1 })).total < WORKERS) {
    assert.ok(Date.now() < deadline, "The other workers did not come.");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** Logs in with codes, in an app that no other worker may touch. @param client of stagedoor/client */
exports.logins = async (client, { appId }, name) => {
  await meetTheOthers(client);
  const { urls } = await client.status();
  const session = async (method, passcode) => {
    const body = JSON.stringify({ appId, user, passcode });
    return await fetch(`${urls.auth}/v1/users/session`, {
      method,
      headers: { "Content-Type": "application/json" },
      body,
    });
  };
  await client.profiles.create({ appId, ...user, name });
  const codes = [];
  for (let login = 0; login < LOGINS; login++) {
    const passcode = await client.passcodes.requestedBy(() => session("POST"), { to: user.phone, appId });
    codes.unshift(passcode.code);
    assert.equal(passcode.appId, appId);
    const answer = await session("PUT", passcode.code);
    assert.equal(answer.status, 200);
    const { token, userId } = await answer.json();
    const found = await client.sessions.introspect(token);
    assert.deepEqual([found.active, found.appId, found.sub], [true, appId, userId]);
  }
  const { items } = await client.passcodes.list({ appId });
  assert.deepEqual(
    items.map(({ code }) => code),
    codes,
  );
  assert.deepEqual(
    (await client.profiles.list({ appId })).items.map((profile) => profile.name),
    [name],
  );
  assert.equal((await client.sessions.list({ appId })).total, LOGINS);
  assert.equal(await client.requests.count({ appId }), 2 * LOGINS);
  await client.passcodes.expectNone({ to: user.phone, appId, within: 20 });
};
