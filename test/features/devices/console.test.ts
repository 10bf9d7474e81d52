/** What Connect says of devices. */
import { describe, expect, test } from "vitest";
import type { AuthClient, Reach } from "#client/index.ts";
import { reachFindings, trustOf } from "../../../src-renderer/places/setup/steps.ts";

describe("the verdict on whether a device trusts the certificate", () => {
  const client = (change: Partial<AuthClient>): AuthClient => ({
    id: "c",
    remote: "192.168.1.20",
    userAgent: null,
    device: null,
    firstSeenAt: "2026-01-01T00:00:00.000Z",
    lastSeenAt: "2026-01-01T00:00:00.000Z",
    http: false,
    https: false,
    tlsRefusals: 0,
    tlsAborted: 0,
    requests: 0,
    lastStatus: null,
    lastReason: null,
    ...change,
  });
  const phone = client({ device: "Android phone", http: true });
  const NOTHING = "No HTTPS requests yet";

  test.for<[string, AuthClient[], boolean, string]>([
    ["nobody connected", [], true, NOTHING],
    ["only http requests", [phone], true, NOTHING],
    [
      "refused, and known from its other requests",
      [client({ tlsRefusals: 1 }), phone],
      true,
      "Android phone at 192.168.1.20 reached Stagedoor, but does not trust the certificate yet",
    ],
    [
      "handshake aborted",
      [client({ tlsAborted: 2 })],
      true,
      "A device at 192.168.1.20 reached Stagedoor, but probably does not trust the certificate yet",
    ],
    ["trusted", [client({ https: true, device: "iPhone" })], true, "iPhone at 192.168.1.20 trusts the certificate"],
    [
      "handshake aborted, with successful requests by another device",
      [client({ tlsAborted: 2 }), client({ https: true, device: "iPhone" })],
      true,
      "iPhone at 192.168.1.20 trusts the certificate",
    ],
    ["only this machine, when a phone is expected", [client({ remote: "127.0.0.1", https: true })], true, NOTHING],
    [
      "this machine",
      [client({ remote: "127.0.0.1", https: true, device: "curl" })],
      false,
      "curl on this machine trusts the certificate",
    ],
  ])("is right for: %s", ([, clients, remote, title]) => expect(trustOf(clients, remote).title).toBe(title));
});

describe("the port check", () => {
  const item = (url: string, change: Partial<Reach> = {}): Reach => ({
    url,
    addresses: ["192.168.1.7"],
    problem: null,
    instruction: null,
    ...change,
  });
  const LOOPBACK = [item("http://127.0.0.1:4011"), item("https://127.0.0.1:4013")];
  const unresolved = item("http://mac.local:4011", { problem: "unresolved", addresses: [], instruction: "Use mDNS." });
  const titles = (...given: Parameters<typeof reachFindings>) => reachFindings(...given).map(({ title }) => title);

  test("shows loopback for a target on this machine, the network for a phone", () => {
    expect(titles(null, [...LOOPBACK, unresolved])).toEqual(["Open: 127.0.0.1:4011, 127.0.0.1:4013"]);
    expect(titles("phone", LOOPBACK)).toEqual([]);
    expect(titles("phone", [...LOOPBACK, item("http://192.168.1.7:4011")])).toEqual(["Open: 192.168.1.7:4011"]);
  });

  test("shows what the name resolves to, or falls back to the address", () => {
    expect(titles("phone", [item("http://mac.local:4011")])).toEqual(["mac.local resolves to 192.168.1.7"]);
    expect(reachFindings("phone", [unresolved])).toEqual([
      { tone: "quiet", title: "mac.local can’t be resolved", next: "Use mDNS." },
    ]);
  });

  test("says what to do when nothing responds", () => {
    const silent = item("http://192.168.1.7:4011", { problem: "silent", instruction: "Open the firewall." });
    expect(reachFindings("phone", [silent])).toEqual([
      { tone: "bad", title: "http://192.168.1.7:4011 does not respond", next: "Open the firewall." },
    ]);
  });
});
