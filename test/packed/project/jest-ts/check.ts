import { type App, connect } from "stagedoor/client";
import { logins } from "../logins.cjs";

const client = connect();

export const check = (worker: number): void => {
  let app: App;
  beforeAll(async () => {
    await client.apps.get("shop");
    app = await client.apps.create();
  });
  afterAll(() => client.close());
  test(`worker ${worker}`, () => logins(client, app, `Ada ${worker}`));
};
