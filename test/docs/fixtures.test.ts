import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { BOUNDS } from "#contract/bounds.ts";
import { type FixtureApp, type WorldState, worldState } from "#contract/control/state.ts";
import { foldUsername } from "#contract/scalars.ts";
import { metadataLimitErrors } from "#contract/service/metadata.ts";
import { profileFields } from "#contract/service/profiles.ts";
import { strategyOf, usernameField } from "#contract/service/strategies.ts";

const read = async (name: string): Promise<WorldState> =>
  worldState.parse(JSON.parse(await readFile(new URL(`../../fixtures/${name}`, import.meta.url), "utf8")));

const FICTIONAL =
  /^\+(1202555010\d|120255501[1-9]\d|447700900\d{3}|33199\d{6}|493023125\d{3}|468465004\d{1,2}|6149157\d{4}|353209\d+|999\d*)$/;
const RESERVED = /@(.+\.)?(example|test|invalid|example\.(com|org|net))$/i;

const world = {
  "demo.json": await read("demo.json"),
  "qa-200.json": await read("qa-200.json"),
};
const apps = Object.entries(world).flatMap(([file, { apps: list }]) => list.map((app) => ({ file, app })));
const fieldsOf = ({ name, phone, email, metadata }: NonNullable<FixtureApp["profiles"]>[number]) =>
  Object.fromEntries(Object.entries({ name, phone, email, metadata }).filter(([, value]) => value !== undefined));

describe.each(apps)("$file, $app.appId", ({ app }) => {
  const profiles = app.profiles ?? [];
  const username = usernameField({ strategy: strategyOf(app.strategy) });

  test("D5 to D8: every profile is valid for the service", () => {
    for (const profile of profiles) {
      expect(profileFields.safeParse(fieldsOf(profile)).error, JSON.stringify(profile).slice(0, 200)).toBeUndefined();
      expect(metadataLimitErrors(profile.metadata ?? {})).toEqual([]);
    }
  });

  test("D9: usernames and ids are unique", () => {
    const names = profiles.flatMap((profile) => (profile[username] == null ? [] : [foldUsername(profile[username])]));
    expect(new Set(names).size).toBe(names.length);
    const ids = [...profiles.map((profile) => profile.userId), ...(app.connections ?? []).map(({ id }) => id)];
    const given = ids.filter((id) => id !== undefined);
    expect(new Set(given).size).toBe(given.length);
    for (const id of given) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test("phones and mailboxes belong to nobody", () => {
    for (const { phone, email } of profiles) {
      if (typeof phone === "string") expect(phone).toMatch(FICTIONAL);
      if (typeof email === "string") expect(email).toMatch(RESERVED);
    }
  });

  test("connections belong to existing profiles, except disabled ones (D14)", () => {
    const names = new Set(profiles.map((profile) => profile[username]));
    const ids = new Set(profiles.map((profile) => profile.userId));
    for (const { user, userId, status } of app.connections ?? [])
      expect(names.has(user) || ids.has(userId) || status === "disabled").toBe(true);
  });
});

describe("the demo", () => {
  const [phone, mail] = world["demo.json"].apps;

  test("starts with the user whom the README mentions", () => {
    expect(phone).toMatchObject({ appId: "demo-app", name: "Demo", strategy: "phone", secret: "sk_local_demo" });
    expect(phone?.profiles?.[0]).toMatchObject({ phone: "+12025550100", name: "Ada Lovelace" });
    expect(phone?.profiles).toHaveLength(12);
    expect(mail).toMatchObject({ appId: "demo-mail", strategy: "email", secret: "sk_local_demo_mail" });
  });

  test("has an example of everything", () => {
    const profiles = phone?.profiles ?? [];
    expect(profiles.some((profile) => profile.testPasscode !== undefined)).toBe(true);
    expect(profiles.some((profile) => profile.name === undefined)).toBe(true);
    expect(new Set(phone?.connections?.map(({ managed }) => managed))).toEqual(new Set([true, false]));
    for (const profile of profiles) expect(profile.phone).toMatch(/^\+120255501\d\d$/);
  });

  test("has fixed ids and times", () => {
    for (const app of world["demo.json"].apps)
      for (const record of [app, ...(app.profiles ?? []), ...(app.connections ?? [])])
        expect(record.createdAt).toBeDefined();
  });
});

describe("the 200 odd profiles", () => {
  const list = world["qa-200.json"].apps;
  const all = list.flatMap((app) => app.profiles ?? []);
  const bytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

  test("are 100 of a phone app and 100 of an email app", () => {
    expect(list.map((app) => [app.appId, app.secret, app.strategy, app.profiles?.length])).toEqual([
      ["qa-phone", "sk_local_qa_phone", "phone", 100],
      ["qa-mail", "sk_local_qa_mail", "email", 100],
    ]);
  });

  test("reach every limit without exceeding it", () => {
    const lengths = (field: "name" | "phone" | "email") => all.map((profile) => [...(profile[field] ?? "")].length);
    expect(Math.max(...lengths("name"))).toBe(255);
    expect(Math.max(...all.map(({ name }) => name?.length ?? 0))).toBeGreaterThan(500);
    expect(Math.max(...lengths("email"))).toBe(254);
    expect(Math.max(...lengths("phone"))).toBe(16);
    expect(Math.min(...lengths("phone").filter((length) => length > 0))).toBe(8);
    const metadata = all.flatMap((profile) => (profile.metadata ? [profile.metadata] : []));
    expect(Math.max(...metadata.map(bytes))).toBe(BOUNDS.metadataBytes.most);
    expect(Math.max(...metadata.map((value) => Object.keys(value).length))).toBe(BOUNDS.metadataKeys.most);
    const depth = (value: unknown): number =>
      typeof value === "object" && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depth)) : 0;
    expect(Math.max(...metadata.map(depth))).toBe(BOUNDS.metadataDepth.most);
  });

  test("preserve numbers as they were written", async () => {
    const text = await readFile(new URL("../../fixtures/qa-200.json", import.meta.url), "utf8");
    expect(text).toContain('"negativeZero": -0,');
    expect(all.some(({ metadata }) => Object.is(metadata?.["negativeZero"], -0) && metadata?.["capital"] === 100)).toBe(
      true,
    );
  });

  test("contain nothing that an editor would hide", async () => {
    const text = await readFile(new URL("../../fixtures/qa-200.json", import.meta.url), "utf8");
    expect(text).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  });
});
