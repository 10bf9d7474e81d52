/** Helpers for the tests of login coverage: a user of an app who signs in, in words, and what was counted. */
import { once } from "node:events";
import { request } from "node:http";
import { expect } from "vitest";
import type { OutcomeId } from "#features/failures/coverage/contract/outcomes.ts";
import { faultCalls } from "#test/features/failures/faults/fault-calls.ts";
import type { Reply } from "#test/hosts/client.ts";
import { freshPhone, harness, type TestApp, until } from "#test/http/control/support.ts";

const LOGIN = "/v1/users/session";

/** The monotonic clock of the server under test, in milliseconds. */
export const monotonic = { ms: 0 };
/** @returns a server for this test file whose monotonic clock tests move. */
export const coverageHarness = () => {
  const running = harness({ monotonic: () => monotonic.ms });
  const { control, auth, app } = running;
  const { set, fault } = faultCalls(running);

  /** @returns the counts of the outcomes that an app has met; absent: all apps. */
  const met = async (appId?: string, more = ""): Promise<Partial<Record<OutcomeId, number>>> => {
    const query = appId === undefined ? "" : `appId=${appId}`;
    const { json } = await control("GET", `/coverage?${query}${more}`);
    const items: readonly { outcome: OutcomeId; count: number }[] = json.items;
    return Object.fromEntries(items.filter(({ count }) => count > 0).map(({ outcome, count }) => [outcome, count]));
  };

  /** Somebody who signs in to an app of their own. @param settings of the app. */
  const visitor = async (settings: object = {}) => {
    const own: TestApp = await app({ settings });
    const { appId } = own;
    const phone = freshPhone();
    const passcodes = async (status = "any") =>
      (await control("GET", `/passcodes/latest?appId=${appId}&status=${status}&to=${encodeURIComponent(phone)}`)).json;
    const user = {
      ...own,
      phone,
      set: (effect: object, method?: string) => set(effect, { appId, ...(method && { method }) }, 1),
      fault,
      code: async (): Promise<string> => (await passcodes()).code,
      post: (headers = {}): Promise<Reply> => auth("POST", LOGIN, { appId, user: { phone } }, headers),
      put: (passcode: unknown, more = {}): Promise<Reply> =>
        auth("PUT", LOGIN, { appId, user: { phone, ...more }, passcode }),
      /** The user exists, and has never signed in. */
      known: async () => await own.profile({ phone }),
      /** Asks for a code and types it. */
      signIn: async (more = {}): Promise<Reply> => {
        expect((await user.post()).status).toBe(202);
        const answer = await user.put(await user.code(), more);
        expect(answer.status).toBe(200);
        return answer;
      },
      wrong: () => user.put("000"),
      signOut: (token: string) => auth("DELETE", LOGIN, undefined, { Authorization: `Bearer ${token}` }),
      sessions: async () => (await control("GET", `/sessions?appId=${appId}`)).json.items,
      userId: async (): Promise<string> => (await control("GET", `/profiles?appId=${appId}`)).json.items[0].userId,
      /** Asks for a code, or has the backend create somebody; this much time passes between the head, which the server has seen, and the body. */
      slowPost: async (ms: number, base: "auth" | "admin" = "auth"): Promise<void> => {
        const headers = {
          "Content-Type": "application/json",
          Expect: "100-continue",
          Authorization: `Bearer ${own.secret}`,
        };
        const url = `${running.server.urls[base]}${base === "auth" ? LOGIN : "/v1/profiles"}`;
        const sent = request(url, { method: "POST", headers });
        sent.flushHeaders();
        await once(sent, "continue");
        monotonic.ms += ms;
        sent.end(JSON.stringify(base === "auth" ? { appId, user: { phone } } : { phone: freshPhone() }));
        const [answer] = await once(sent, "response");
        await once(answer.resume(), "end");
        expect(answer.statusCode).toBe(base === "auth" ? 202 : 201);
      },
      /** A request that its client gives up, as soon as it has arrived and while it is delayed. */
      abandon: async (base: "auth" | "admin", path: string, id: string) => {
        const client = new AbortController();
        const answer = fetch(`${running.server.urls[base]}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${own.secret}` },
          body: JSON.stringify({ appId, user: { phone } }),
          signal: client.signal,
        });
        await until(
          () => fault(id),
          ({ used }) => used === 1,
        );
        client.abort();
        await expect(answer).rejects.toThrow();
        await until(
          async () => (await control("GET", `/requests?appId=${appId}&limit=1`)).json.items[0],
          (row) => row?.fault === id,
        );
      },
      met: () => met(appId),
    };
    return user;
  };
  return { running, met, visitor };
};

/** @see coverageHarness */
export type Visitor = Awaited<ReturnType<ReturnType<typeof coverageHarness>["visitor"]>>;
