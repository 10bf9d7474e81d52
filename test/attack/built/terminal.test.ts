/**
 * Text from others reaches the terminal without control characters: no escape sequence, bell, C1 control or change of
 * writing direction.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { terminalText } from "#server/plumbing/io.ts";
import { freshPath, run, type Started, send, start } from "#test/cli/support.ts";

const ESC = "\u001b";
/** A window title, a color, a cleared screen (also as C1), a hyperlink, a bell, a backspace, reversed direction. */
const EVIL = `a${ESC}]0;owned\u0007${ESC}[31mb\u009b2J${ESC}]8;;http://example.com${ESC}\\c\b\r\u202ed\u2066e\u200f\u007f`;
/** What must not appear; a line feed and a tab may. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the test looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

const clean = (text: string): void => {
  expect(CONTROL.exec(text)?.[0]?.charCodeAt(0)).toBeUndefined();
};

test.each([
  ["ESC", `a${ESC}[31mb`],
  ["BEL and OSC", `a${ESC}]0;t\u0007b`],
  ["CSI as C1", "a\u009b31mb"],
  ["DCS, OSC and ST as C1", "a\u0090\u009d\u009cb"],
  ["backspace and carriage return", "a\b\rb"],
  ["overrides, embeddings and isolates", "a\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069b"],
  ["directional marks", "a\u200e\u200f\u061cb"],
  ["line and paragraph separators", "a\u2028\u2029b"],
])("terminal output never contains %s, in any style", (_, text) => {
  for (const colors of [true, false]) {
    clean(terminalText(text, colors));
    const styled = terminalText([text, { text, style: 1 }, "\n"], colors);
    clean(styled.replaceAll(`${ESC}[1m`, "").replaceAll(`${ESC}[0m`, ""));
    expect(styled.includes(`${ESC}[1m`)).toBe(colors);
    expect(styled.match(/a/g)).toHaveLength(2);
  }
});

test("text in any language stays unchanged", () => {
  const text = "Zoë 東京 नमस्ते می\u200cخواهم 👩\u200d💻\tx\n";
  expect(terminalText(text, true)).toBe(text);
});

describe("a tampered data directory cannot reach the terminal through", () => {
  let data = "";
  let server: Started | undefined;
  beforeEach(() => {
    data = freshPath();
    mkdirSync(data, { mode: 0o700 });
  });
  afterEach(async () => {
    await server?.stop("SIGKILL");
    server = undefined;
  });

  test("a console URL in the lock: start, doctor and a client", async () => {
    const lock = { pid: process.pid, instance: "0".repeat(24), consoleUrl: `http://127.0.0.1:1/${EVIL}` };
    writeFileSync(path.join(data, "lock.json"), JSON.stringify(lock));
    for (const command of [["start", "--headless"], ["doctor"], ["export"], ["doctor", "--json"]]) {
      const { out, err } = await run([...command, "--data", data]);
      clean(out + err);
      expect(out + err).not.toContain("owned");
    }
  });

  test("names, secrets, ids and numbers in an edited document: the start, and each passcode", async () => {
    const first = await start(["--data", data]);
    await first.stop();
    const file = path.join(data, "stagedoor.json");
    const evil = JSON.stringify(EVIL).slice(1, -1);
    const text = readFileSync(file, "utf8")
      .replaceAll("sk_local_demo_mail", `mail${evil}`)
      .replaceAll("demo-mail", `mail${evil}`)
      .replace(/"name":"[^"]*"/g, `"name":"${evil}"`)
      .replaceAll('"email":"', `"email":"${evil}`);
    writeFileSync(file, text);
    server = await start(["--data", data]);
    await send("POST", `${server.ready.authUrl}/v1/users/session`, {
      appId: "demo-app",
      user: { phone: "+12025550100" },
    });
    await server.printed(/\+12025550100 {2}\d{6}/);
    clean(server.out() + server.err());
  });

  test("the commands that show content, as text and as JSON", async () => {
    server = await start(["--data", data, "--json"]);
    const { consoleUrl } = server.ready;
    const api = `${consoleUrl}/emulator/v1`;
    await send("POST", `${api}/profiles`, { appId: "demo-app", name: EVIL });
    const url = ["--url", consoleUrl];
    const exported = await run(["export", ...url]);
    clean(exported.out + exported.err);
    const { apps } = JSON.parse(exported.out);
    expect(apps[0].profiles.map(({ name }: { name: string | null }) => name)).toContain(EVIL);
    for (const command of [
      ["snapshot", "save", `x${EVIL}`],
      ["reset", "--app", EVIL],
      ["passcode", EVIL],
      ["seed", "--app", EVIL, "nowhere.csv"],
      ["snapshot", EVIL],
    ]) {
      const { out, err } = await run([...command, ...url]);
      clean(out + err);
      expect(out + err).not.toBe("");
    }
  });

  test("its own name", async () => {
    const odd = path.join(data, `x${ESC}[31my`);
    writeFileSync(odd, "");
    const { err } = await run(["start", "--headless", "--data", odd]);
    clean(err);
    expect(err).toContain("[31my");
  });

  test("an invalid option is repeated without control characters", async () => {
    const { err } = await run(["start", `--nonsense${EVIL}`]);
    clean(err);
    expect(err).toContain("nonsense");
  });
});
