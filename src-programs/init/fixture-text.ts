/** The fixture file that `stagedoor init` writes. */
import { type FixtureSource, pathOf, type ReadAs, sourceWith } from "#contract/control/fixture-source.ts";
import type { UsernameField } from "#contract/service/strategies.ts";

/** The users of a file, and what they sign in with. */
export interface UsersInFile {
  /** Relative to the folder. */
  readonly source: FixtureSource;
  readonly username: UsernameField;
}

/** @param name of a file in the folder. @returns it as a fixture file names it. */
export const nearFile = (name: string, how: ReadAs): FixtureSource => sourceWith(`./${name}`, how);

const EXAMPLE = `"profiles": [
        // testPasscode: a code that always works for this user
        { "phone": "+12025550100", "name": "Ada", "testPasscode": "123456" }
      ]`;

/** @param schema the path of the schema. @param users undefined: an example user. @returns the text of the file. */
export const fixtureText = (schema: string, appId: string, users: UsersInFile | undefined): string => `{
  "$schema": ${JSON.stringify(schema)},
  "apps": [
    {
      "appId": ${JSON.stringify(appId)},
      "secret": ${JSON.stringify(`sk_local_${appId}`)},
      "strategy": "${users?.username ?? "phone"}", // the field that is the username: "phone" or "email"
      ${users === undefined ? EXAMPLE : `"users": ${sourceText(users.source)}`}
    }
  ]
}
`;

const sourceText = (source: FixtureSource): string =>
  typeof source === "string"
    ? JSON.stringify(pathOf(source))
    : JSON.stringify(source, null, 1).replaceAll(/\n */g, " ");
