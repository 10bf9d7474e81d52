/** `stagedoor completion`: the suggestions, and each script in its shell. */
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { connect } from "#client/index.ts";
import { completionsOf, namesOf } from "#programs/completion/complete.ts";
import { createProgram } from "#server/program.ts";
import { clean, freshPath, PROGRAM, run, SCRIPT, type Started, start } from "#test/cli/support.ts";

const nothing = async (): Promise<never> => {
  throw new Error("a command ran");
};
const io = { out: nothing, err: nothing, json: nothing, progress: nothing, ask: nothing, input: nothing };
const program = createProgram({ version: "0.0.0", io, called: [], run: nothing, untilSignal: nothing });

let server: Started;
beforeAll(async () => {
  server = await start(["--json", "--data", freshPath()]);
  const { snapshots } = connect(server.ready.consoleUrl);
  await snapshots.save("before");
  await snapshots.save("mine", { appId: "demo-mail" });
});

describe("suggestions for", () => {
  /** The last word is incomplete. */
  const offered = async (line: string): Promise<string[]> => {
    const names = async (kind: string, given: Readonly<Record<string, string>>) => [kind, ...Object.values(given)];
    const lines = await completionsOf(program, line.split(" "), names);
    return lines.split("\n").flatMap((one) => (one === "" ? [] : [one.replace(/\t.*/, "")]));
  };

  test.each<[string, readonly string[]]>([
    ["snapshot ", ["save", "restore", "list", "delete"]],
    ["snapshot restore ", ["snapshots"]],
    ["snapshot --app demo-mail restore ", ["snapshots", "demo-mail"]],
    ["snapshot restore before ", []],
    ["snapshot list ", []],
    ["fault clear ", ["faults"]],
    ["fault add ", []],
    ["weather ", ["weather"]],
    ["weather --app demo-mail ", ["weather", "demo-mail"]],
    ["fault add --listener ", ["admin", "auth"]],
    ["fault add --listener=", ["--listener=admin", "--listener=auth"]],
    ["passcode --app ", ["apps"]],
    ["passcode +12025550100 --app=d", ["--app=apps"]],
    ["passcode --wait --app ", ["apps"]],
    ["passcode --ap=", []],
    ["start --fixtures a.json ", [":files"]],
    ["start --fixtures=", [":files"]],
    ["start --durability ", ["process", "disk", "memory"]],
    ["seed a.json b", [":files"]],
    ["exec -- npm --", [":files"]],
    ["exec npm --app ", [":files"]],
    ["completion ", ["bash", "zsh", "fish"]],
    ["clock advance -- -", []],
    ["nonsense ", []],
  ])("stagedoor %s", async (line, words) => {
    expect(await offered(line)).toEqual(words);
  });

  test("all commands, and the remaining options of each", async () => {
    const commands = program.commands.map((command) => command.name()).filter((name) => !name.startsWith("_"));
    expect(await offered("")).toEqual(commands);
    for (const name of commands) expect(await offered(`${name} -`), name).toContain("--help");
    const options = await offered("requests --why --url http://127.0.0.1:1 --");
    expect(options).toContain("--status");
    expect(options).not.toContain("--why");
    expect(options).not.toContain("--url");
    expect(await offered("start --fixtures a.json --")).toContain("--fixtures");
  });

  test("names are empty without an emulator, or if it does not respond", async () => {
    expect(await namesOf("apps", { url: "http://127.0.0.1:1" })).toEqual([]);
    expect(await namesOf("apps", { url: "nonsense" })).toEqual([]);
    expect(await namesOf("apps", { url: server.ready.authUrl })).toEqual([]);
    expect(await namesOf("snapshots", { url: server.ready.consoleUrl, app: "demo-mail" })).toEqual(["mine"]);
  });
});

test("neither the script nor its queries print a warning", async () => {
  const env = { STAGEDOOR_AUTH_PROT: "1", STAGEDOOR_CONSOLE_PORT: "nonsense" };
  for (const shell of ["bash", "zsh", "fish"])
    expect(await run(["completion", shell], { env })).toMatchObject({ status: 0, err: "" });
  expect(await run(["__complete", "--", "signin", "--app", ""], { env })).toEqual(
    expect.objectContaining({ status: 0, out: "", err: "" }),
  );
  expect(await run(["completion", "csh"])).toMatchObject({ status: 2, out: "", err: expect.stringContaining("fish") });
});

/** Each reads lines that start with `stagedoor`, and prints the suggestions for the last word of each. */
const SHELLS = {
  // Words as split by bash: at = too.
  bash: `eval "$(stagedoor completion bash)"
    complete -p stagedoor >&2
    while IFS= read -r line; do
      split=\${line//=/ = }
      read -ra COMP_WORDS <<< "$split"
      [[ $split == *' ' ]] && [[ $split != *'= ' ]] && COMP_WORDS+=("")
      COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      _stagedoor stagedoor
      echo "\${COMPREPLY[@]}"
    done`,
  // A separate terminal, in which Tab inserts every suggestion.
  zsh: `zmodload zsh/zpty
    zpty z zsh -f -i
    zpty -w z 'PS1= PROMPT_EOL_MARK=; autoload -Uz compinit; compinit -D -u; source <(stagedoor completion zsh)'
    zpty -w z 'every() { _main_complete; compstate[insert]=all }; zle -C every complete-word every'
    zpty -w z 'bindkey -e; bindkey "^I" every'
    zpty -w z 'print RE""ADY'
    zpty -r -m z out '*READY*'
    while IFS= read -r line; do
      zpty -w z "$line"$'\\t\\x01'"print -r -- G''OT "
      zpty -r -m z out $'*GOT *\\n'
      print -r -- "\${\${out##*GOT }%%[$'\\r\\n']*}"
    done
    zpty -d z`,
  fish: `stagedoor completion fish | source
    while read -l line
      echo (complete -C "$line" | string replace -r '\\t.*' '')
    end`,
} as const;

const has = (shell: string): boolean => process.platform !== "win32" && spawnSync(shell, ["-c", ":"]).status === 0;

describe.each(Object.entries(SHELLS))("%s", (shell, script) => {
  test("completes", async ({ skip }) => {
    skip(!has(shell), `${shell} is not installed`);
    const bin = freshPath("bin");
    mkdirSync(bin);
    writeFileSync(join(bin, "stagedoor"), `#!/bin/sh\nexec '${[PROGRAM, ...SCRIPT].join("' '")}' "$@"\n`);
    chmodSync(join(bin, "stagedoor"), 0o755);
    const env = clean({
      STAGEDOOR_CONSOLE_URL: server.ready.consoleUrl,
      PATH: [bin, process.env["PATH"]].join(delimiter),
    });
    const lines = [
      ["stagedoor comp", "completion"],
      ["stagedoor requests --wh", "--why"],
      ["stagedoor fault add --listener ", "admin auth"],
      ["stagedoor signin +12025550100 --app=demo-m", shell === "bash" ? "demo-mail" : "--app=demo-mail"],
      ["stagedoor snapshot restore ", "before"],
      ["stagedoor seed stag", "stagedoor"],
    ] as const;
    const child = spawn(shell, ["-c", script], { env, cwd: bin });
    child.stdin.end(lines.map(([line]) => `${line}\n`).join(""));
    const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
    // Zsh shows the whole line.
    const before = (line = ""): string => line.replace(/\S*$/, "");
    const printed = out.split("\n").slice(0, lines.length);
    const words = printed.map((shown, n) => shown.replace(before(lines[n]?.[0]), "").trim());
    expect(words, err).toEqual(lines.map(([, expected]) => expected));
  });
});
