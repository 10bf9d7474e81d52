import { connect, StagedoorError } from "stagedoor/client";
import { logins } from "../logins.cjs";

const client = connect();

export const check = (worker) => {
  let app;
  beforeAll(async () => {
    app = await client.apps.create();
  });
  afterAll(async () => {
    await client.apps.delete(app.appId);
    await client.close();
  });
  test(`worker ${worker}`, async () => {
    await logins(client, app, `Ada ${worker}`);
    await expect(client.apps.get("ghost")).rejects.toThrow(StagedoorError);
  });
};
