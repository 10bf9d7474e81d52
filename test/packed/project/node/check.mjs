import { test } from "node:test";
import { connect } from "stagedoor/client";
import { logins } from "../logins.cjs";

export const check = (worker) =>
  test(`worker ${worker}`, async () => {
    const client = connect();
    const app = await client.apps.create();
    await logins(client, app, `Ada ${worker}`);
    await client.close();
  });
