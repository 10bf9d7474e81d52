/** The lines for fetch of docs/lost-answers.md, as they are: what a user sees after each kind of lost response. */
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CHECKOUT } from "#test/client/installed.ts";
import { harness } from "#test/http/control/support.ts";
import { afterFile } from "#test/support/cleanup.ts";
import { faultCalls } from "./fault-calls.ts";

const running = harness();
const { control, auth, app } = running;
const { set } = faultCalls(running);
const LOGIN = "/v1/users/session";

const page = await readFile(join(CHECKOUT, "docs/lost-answers.md"), "utf8");
const [, lines = ""] = /\n```js\n(\/\/ fetch: [\s\S]*?)\n```\n/.exec(page) ?? [];
const file = join(tmpdir(), `stagedoor-lost-answers-${process.pid}.mjs`);
await writeFile(
  file,
  `export const screen = ({ button, authUrl, headers, signedIn, ask, show }) => {\n${lines}\nreturn enter;\n};\n`,
);
afterFile(() => rm(file, { force: true }));
const { screen } = await import(/* @vite-ignore */ pathToFileURL(file).href);

/** A user with a code, on such a screen. */
const onScreen = async () => {
  const made = await app();
  const { phone } = await made.profile();
  const { appId } = made;
  const user = { phone };
  const said: unknown[] = [];
  const button = { disabled: false };
  const ask = async (): Promise<void> => void said.push(await made.ask(phone));
  await made.ask(phone);
  const { code } = (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(phone)}`)).json;
  const enter = screen({
    button,
    authUrl: running.server.urls.auth,
    headers: { "Content-Type": "application/json" },
    signedIn: ({ userId }: { userId: string }) => void said.push(typeof userId),
    ask,
    show: (...words: unknown[]) => void said.push(...words),
  });
  const press = async (passcode = code): Promise<unknown[]> => {
    said.length = 0;
    const pressed = enter(JSON.stringify({ appId, user, passcode }));
    expect(button.disabled).toBe(true);
    await pressed;
    expect(button.disabled).toBe(false);
    return [...said];
  };
  return { appId, user, press };
};

const NO_ANSWER = ["No answer. Request a new code.", { canAsk: true }];
const USED = [202, "That code was used. We sent a new one."];

test("a response that comes is a session, or a wrong code", async () => {
  const { press } = await onScreen();
  expect(await press("000")).toEqual(["Wrong code."]);
  expect(await press()).toEqual(["string"]);
});

test.each([
  ["lost", { drop: true, after: true }, NO_ANSWER],
  ["a 504 instead", { status: 504, after: true }, NO_ANSWER],
  ["one of two", { twice: true }, USED],
])("a response that is %s leads to a new code, which works", async (_how, effect, shown) => {
  const { appId, user, press } = await onScreen();
  await set(effect, { appId, method: "PUT" }, 1);
  expect(await press()).toEqual(shown);
  // The user presses again all the same.
  if (shown === NO_ANSWER) expect(await press()).toEqual(USED);
  const { code } = (await control("GET", `/passcodes/latest?appId=${appId}&to=${encodeURIComponent(user.phone)}`)).json;
  expect(await press(code)).toEqual(["string"]);
  expect((await auth("PUT", LOGIN, { appId, user, passcode: code })).reason).toBe("passcode_used");
});
