/** Six odd files in five places give one result: the users, or the same errors. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { connect, type Fixture, type Profile } from "#client/index.ts";
import type { ReadAs } from "#contract/control/fixture-source.ts";
import { faultText } from "#people/faults.ts";
import { startStagedoor } from "#server/testing.ts";
import { readPeople } from "#test/people/read.ts";
import { PROGRAM, run, SCRIPT, type Started, start } from "../support.ts";

const ODD = join(import.meta.dirname, "../../people/odd");
const at = (name: string): string => join(ODD, name);

/** Users as `phone email name code`, sorted; or the errors, without what only one place says. */
type Result = readonly string[];

const usersOf = (profiles: readonly Pick<Profile, "phone" | "email" | "name" | "testPasscode">[]): Result =>
  profiles
    .map(({ phone, email, name, testPasscode }) => [phone, email, name, testPasscode].map((v) => v ?? "").join(" "))
    .sort();
const errorsOf = (text: string): Result =>
  text
    .split("\n")
    // A start prints them for people, and once more as JSON.
    .filter((line) => /\.(csv|json):\d/.test(line) && !line.includes('{"'))
    .map((line) => line.replaceAll(`${ODD}/`, "").replace(/^.*?([\w-]+\.(?:csv|json):)/, "$1"))
    .sort();

const flags = ({ country, duplicates }: ReadAs): string[] => [
  ...(country === undefined ? [] : ["--country", country]),
  ...(duplicates === undefined ? [] : ["--duplicates", duplicates]),
];

let server: Started;
beforeAll(async () => {
  server = await start(["--json", "--ephemeral"]);
});

const inFramework = async (files: readonly string[], how: ReadAs): Promise<Result> => {
  const fixtures = files.map((name): Fixture => ({ file: at(name), ...how }));
  try {
    await using stagedoor = await startStagedoor({ fixtures });
    const [app] = (await stagedoor.client.apps.list()).items;
    return usersOf((await stagedoor.client.profiles.list({ appId: app?.appId ?? "" })).items);
  } catch (error) {
    return errorsOf(String(error));
  }
};

const PLACES: Readonly<
  Record<string, (files: readonly string[], how: ReadAs, strategy: "phone" | "email") => Promise<Result>>
> = {
  seed: async (files, how, strategy) => {
    const client = connect(server.ready.consoleUrl);
    const { appId } = await client.apps.create(
      files.some((name) => name.includes("codes")) ? { appId: "shop" } : { strategy },
    );
    try {
      const { status, err } = await run([
        "seed",
        ...files.map(at),
        "--app",
        appId,
        ...flags(how),
        "--url",
        server.ready.consoleUrl,
      ]);
      return status === 0 ? usersOf((await client.profiles.list({ appId })).items) : errorsOf(err);
    } finally {
      await client.apps.delete(appId);
    }
  },
  exec: async (files, how) => {
    const given = ["exec", "--fixtures", ...files.map(at), ...flags(how), "--", PROGRAM, ...SCRIPT, "export"];
    const { status, out, err } = await run(given);
    return status === 0 ? usersOf(JSON.parse(out).apps[0].profiles) : errorsOf(err);
  },
  start: async (files, how) => {
    const started = start(["--json", "--ephemeral", "--fixtures", ...files.map(at), ...flags(how)]);
    try {
      const { ready, stop } = await started;
      const client = connect(ready.consoleUrl);
      const [app] = (await client.apps.list()).items;
      const users = usersOf((await client.profiles.list({ appId: app?.appId ?? "" })).items);
      await stop();
      return users;
    } catch (error) {
      return errorsOf(String(error));
    }
  },
  frameworks: inFramework,
  console: async ([name = ""], how, username) => {
    const read = await readPeople(await readFile(at(name), "utf8"), { ...how, username });
    if ("kind" in read) return [read.kind];
    if (read.faults.total > 0) return read.faults.first.map((fault) => `${name}:${fault.line}: ${faultText(fault)}`);
    return usersOf(read.profiles as readonly Profile[]);
  },
};

const ROWS: readonly (readonly [files: readonly string[], how: ReadAs, strategy: "phone" | "email", result: Result])[] =
  [
    [["national.csv"], {}, "phone", ['national.csv:4: phone: has no country code (found "0171 1234503")']],
    [
      ["national.csv"],
      { country: "DE" },
      "phone",
      [
        "+491711234501 ada@example.com Ada Lovelace ",
        "+491711234502 grace@example.com Grace Hopper ",
        "+491711234503 katherine@example.com Katherine Johnson ",
      ],
    ],
    [
      ["twice.csv"],
      {},
      "phone",
      ['twice.csv:5: phone: is already in line 3, with another name, metadata.Plan (found "+12025550164")'],
    ],
    [["twice.csv"], { duplicates: "last" }, "phone", ["+12025550163  Ada Lovelace ", "+12025550164  Grace M. Hopper "]],
    [
      ["excel-lost-plus.csv"],
      {},
      "phone",
      [
        "+12025550181 ada@example.com Ada Lovelace ",
        "+12025550182 grace@example.com Grace Hopper ",
        "+34612345678 jose@example.com José Núñez ",
      ],
    ],
    [["users-and-groups.json"], {}, "phone", ["+12025550160  Ada Lovelace "]],
    [["login-methods.json"], {}, "email", [" grace@example.com  ", "+12025550165 ada@example.com  "]],
  ];

describe.each(ROWS)("%j with %j", (files, how, strategy, result) => {
  test.each(Object.keys(PLACES))("%s", async (place) => {
    expect(await PLACES[place]?.(files, how, strategy)).toEqual(result);
  });
});

// The console takes one file at a time.
test.each(["seed", "exec", "start", "frameworks"])("fixed codes beside an export: %s", async (place) => {
  expect(await PLACES[place]?.(["national.csv", "codes-beside-national.json"], { country: "DE" }, "phone")).toEqual([
    "+491711234501 ada@example.com Ada Lovelace 123456",
    "+491711234502 grace@example.com Grace Hopper ",
    "+491711234503 katherine@example.com Katherine Johnson ",
  ]);
});
