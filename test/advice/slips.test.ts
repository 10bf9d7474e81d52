/**
 * What people send instead of a valid request, against several wire settings and both channels. Each slip
 * is named; what to send is accepted by a second request; nothing is said that is not so.
 */
import { createHash } from "node:crypto";
import { Agent } from "node:http";
import { describe, expect, test } from "vitest";
import type { Advice } from "#contract/control/requests.ts";
import { effectiveSettings } from "#contract/service/effective-settings.ts";
import type { Settings } from "#contract/service/settings.ts";
import { STRATEGIES } from "#contract/service/strategies.ts";
import { send as sendBytes } from "#test/hosts/send.ts";
import { harness } from "../http/control/support.ts";
import { type Sent, type Slip, validRequest, type World } from "./slip-parts.ts";
import { SLIPS } from "./slip-table.ts";

const host = harness();
const { control } = host;
const agent = new Agent();

const WIRES = {
  "as specified": {},
  "in an envelope, the user beside": { envelope: "session", appIdField: "clientId", userField: null },
  "with other names": { appIdField: "applicationId", userField: "profile", passcodeField: "code" },
  "the passcode within the user": { passcodeField: "user.otp" },
} as const satisfies Readonly<Record<string, Settings["wire"]>>;

const [PHONE, EMAIL] = ["+12025550177", "ada.lovelace@example.com"];
let apps = 0;
const freshWorld = async (strategy: World["strategy"], wire: NonNullable<Settings["wire"]>): Promise<World> => {
  apps += 1;
  const name = `Slips ${apps} of ${strategy}`;
  const made = await control("POST", "/apps", {
    appId: `demo-${createHash("sha256").update(String(apps)).digest("hex").slice(0, 8)}`,
    name,
    strategy,
    settings: { wire },
  });
  expect(made.status, made.text).toBe(201);
  const { appId, secret } = made.json;
  const user = await control("POST", "/profiles", { appId, name: "Ada", phone: PHONE, email: EMAIL });
  const { userId } = user.json;
  const code = (await control("POST", "/passcodes", { appId, userId })).json.code;
  return {
    wire: effectiveSettings({ wire }).wire,
    strategy,
    appId,
    name,
    secret,
    userId,
    phone: PHONE,
    email: EMAIL,
    code,
  };
};

const request = async ({ listener, method, path, headers, body }: Sent) => {
  const content =
    body === undefined || Buffer.isBuffer(body)
      ? body
      : Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  const type = content === undefined ? {} : { "Content-Type": "application/json" };
  const answered = await sendBytes(agent, host.server.urls[listener], {
    method,
    target: path,
    headers: { ...type, ...headers },
    ...(content !== undefined && { body: content }),
  });
  const id = answered.headers["emulator-request-id"];
  return { status: answered.status, row: (await control("GET", `/requests/${id}`)).json };
};

/** @returns the request with what the advice says to send. */
const mended = (sent: Sent, { send = "", at = "" }: Advice): Sent => {
  if (at === "path") return { ...sent, path: send + (/\?.*$/.exec(sent.path)?.[0] ?? "") };
  if (at === "method") return { ...sent, method: send };
  if (at === "body")
    return { ...sent, headers: {}, ...(sent.listener === "admin" && { headers: sent.headers }), body: send };
  const keys = at.replace(/^body\./, "").split(".");
  const body = structuredClone(sent.body);
  const last = keys.pop() ?? "";
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  const object = keys.reduce((inner: any, key) => inner[key], body as any);
  object[last] = send;
  return { ...sent, body };
};

const isThere = (body: unknown, path: string): boolean => {
  const keys = path.split(/[.[\]]+/).filter(Boolean);
  // biome-ignore lint/suspicious/noExplicitAny: bodies of any shape
  return keys.reduce((inner: any, key) => inner?.[key], body) !== undefined;
};

/** What no advice may say unless it is so. */
const expectTrue = (advice: readonly Advice[], sent: Sent, { wire }: World): void => {
  expect(advice.length).toBeLessThanOrEqual(3);
  for (const { text } of advice) {
    if (typeof sent.body === "string" || Buffer.isBuffer(sent.body)) continue;
    const [, from] = /was sent as “([^”]+)”/.exec(text) ?? [];
    if (from !== undefined) expect(isThere(sent.body, from), text).toBe(true);
    const [, to] = /(?:phone|email) was sent as “[^”]+”; it must be in “([^”]+)”/.exec(text) ?? [];
    if (to !== undefined) {
      const way = [wire.envelope, wire.userField].filter((part) => part !== null);
      expect(to.split(".").slice(0, -1)).toEqual(way);
    }
  }
};

describe.each(Object.entries(WIRES))("bodies %s", (_name, wire) => {
  describe.each(Object.keys(STRATEGIES) as World["strategy"][])("by %s", (strategy) => {
    const fits = (slip: Slip): boolean => slip.by === undefined || slip.by === strategy;
    test.each(SLIPS.filter(fits).map((slip) => [slip.name, slip] as const))("%s", async (_title, slip) => {
      const world = await freshWorld(strategy, wire);
      if (slip.when?.(world) === false) return;
      const sent = slip.change(validRequest(slip.of, world), world);
      const { status, row } = await request(sent);
      const advice: Advice[] = row.advice;
      const said = JSON.stringify({ status, reason: row.reason, advice, body: row.request.body }, null, 1);
      expect(status >= 400, said).toBe(slip.works !== true);
      expect(advice[0]?.text ?? "", said).toMatch(slip.names);
      expectTrue(advice, sent, world);
      const toSend = advice.filter(({ send }) => send !== undefined);
      expect(toSend.length > 0, said).toBe(slip.cured);
      for (const one of toSend) {
        const again = await request(mended(sent, one));
        expect(
          again.status,
          `${said}\n${JSON.stringify(mended(sent, one).body)}\n${JSON.stringify(again.row.advice)}`,
        ).toBeLessThan(300);
        break;
      }
      await control("DELETE", `/apps/${world.appId}`);
    });
  });
});
