/** What strangers can make the service store: memory stays limited whatever they send, and however often. */
import { expect, test } from "vitest";
import { besideWellBehaved, target } from "../support.ts";

const at = target({ heapMib: 512 });
const SESSION = "/v1/users/session";
const MIB = 1_048_576;
/** Resident memory that the whole attack may leave, in MiB; storing 200 bodies would take more. */
const MOST_MIB = 250;

const USER = '{"appId":"demo-app","user":{"phone":"+12025550100"}';
/** A body of nearly 1 MiB, with entries made by `entry`. */
const filled = (entry: (i: number) => string): string => {
  let body = USER;
  for (let i = 0; body.length < MIB - 1_000; i++) body += `,${entry(i)}`;
  return `${body}}`;
};

/** Sends requests, four at a time. @returns their distinct statuses. */
const sendAll = async (count: number, send: () => Promise<{ readonly status: number }>): Promise<Set<number>> => {
  const statuses = new Set<number>();
  let left = count;
  const sender = async () => {
    while (left-- > 0) statuses.add((await send()).status);
  };
  await Promise.all([sender(), sender(), sender(), sender()]);
  return statuses;
};

test.each([
  ["100,000 unknown keys", 200, filled((i) => `"${i.toString(36)}":1`), 400],
  ["4,500 unknown keys, as many as are read", 200, filled((i) => `"${i}${"k".repeat(200)}":"${"v".repeat(15)}"`), 202],
  ["one unknown key of 1 MiB", 200, `${USER},"${"k".repeat(MIB - 100)}":1}`, 202],
])("memory stays limited after 1 MiB of %s, %i times", { timeout: 240_000 }, async (what, count, body, status) => {
  await besideWellBehaved(at, `1 MiB of ${what}`, async () => {
    expect(await sendAll(count, () => at.auth("POST", SESSION, body))).toEqual(new Set([status]));
  });
  process.stdout.write(`1 MiB of ${what}: ${at.residentMib()} MiB\n`);
  expect(at.residentMib()).toBeLessThan(MOST_MIB);
});

test("memory stays limited after passcodes of 1 MiB with the longest User-Agent", { timeout: 240_000 }, async () => {
  const agent = { "User-Agent": "u".repeat(15_000) };
  await sendAll(200, () => at.auth("PUT", SESSION, `${USER},"passcode":"${"1".repeat(MIB - 100)}"}`, agent));
  let last = 0;
  const signUp = () =>
    at.auth("POST", SESSION, { appId: "demo-app", user: { phone: `+1202${5_560_000 + ++last}` } }, agent);
  // More than the log has rows.
  expect(await sendAll(1_100, signUp)).toEqual(new Set([200]));
  process.stdout.write(`passcodes of 1 MiB and long User-Agents: ${at.residentMib()} MiB\n`);
  expect(at.residentMib()).toBeLessThan(MOST_MIB);
});

test("the whole request log is small when listed", async () => {
  const { json, text } = await at.control("GET", "/requests?limit=1000");
  expect(json.items.length).toBeGreaterThan(100);
  expect(text.length).toBeLessThan(64 * MIB);
});
