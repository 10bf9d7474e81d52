/** What a client waits for ends when it is closed, whatever the garbage collector does meanwhile. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, connect } from "#client/index.ts";
import { collectGarbage } from "#test/support/garbage.ts";
import { useServed } from "./support.ts";

const at = useServed();

describe("each of many clients", () => {
  const ROUNDS = 2;
  const AT_ONCE = 20;
  let isOver = false;
  let others: Promise<void> = Promise.resolve();

  beforeEach(async () => {
    isOver = false;
    const { appId } = await at.client.apps.create();
    others = (async () => {
      while (!isOver)
        await at.client.profiles.delete(
          (await at.client.profiles.create({ appId, phone: null, email: "a@example.com" })).userId,
        );
    })();
  });
  afterEach(async () => {
    isOver = true;
    await others;
  });

  /** Follows the events and waits for a code. @returns what resolves when the loop is open, and when all ended. */
  const wait = (client: Client) => {
    let ended: Promise<unknown> = Promise.resolve();
    const begun = new Promise<void>((resolve) => {
      const follow = async (): Promise<string> => {
        for await (const _event of client.events()) resolve();
        return "ended";
      };
      const reason = (waiting: Promise<unknown>): Promise<unknown> => waiting.catch((error) => error.reason);
      ended = Promise.all([
        follow(),
        reason(client.passcodes.next({ to: "+12025550177", appId: "demo-app", timeoutMs: 600_000 })),
      ]);
    });
    return { begun, ended: () => ended };
  };

  test("ends its event loop and its waits when it is closed, beside constant events", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const clients = Array.from({ length: AT_ONCE }, () => connect(at.server.urls.console));
      const waits = clients.map(wait);
      await Promise.all(waits.map(({ begun }) => begun));
      await collectGarbage();
      await Promise.all(clients.map((client) => client.close()));
      const results = await Promise.all(waits.map(({ ended }) => ended()));
      expect(results).toEqual(Array.from({ length: AT_ONCE }, () => ["ended", "closed"]));
    }
  });
});
