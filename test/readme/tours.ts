/** The pages whose shell blocks run one after the other, in one shell, against a server of their own. */
import { type Block, blocksOf, notRun } from "#test/docs/blocks.ts";

/** What a page takes for granted. */
export interface Tour {
  /** Commands before the first block. */
  readonly before?: string;
  /** Files in the working directory. */
  readonly files?: Readonly<Record<string, string>>;
  /** Variables of the server and the shell. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A block of commands, and what the page shows of its output; `…` stands for anything within a line. */
export interface Step {
  readonly commands: string;
  readonly prints: string | undefined;
  /** Whether more lines may follow, which the page leaves out. */
  readonly hasMore: boolean;
}

/** Marks what shows only how an output begins. */
const BEGINNING = "the first lines of its output";

const JSON_BODY = "-H 'Content-Type: application/json'";
const SIGN_IN = `curl http://127.0.0.1:4012/emulator/v1/sessions ${JSON_BODY} -d '{"appId":"demo-app","userId":"3f0c2f4e-8a51-4a86-9d0e-2b7f7d1c0a01"}'`;
/** Reads the id in the JSON on standard input. */
const ID = `node -pe 'JSON.parse(require("fs").readFileSync(0)).id'`;

/** A backend that lets a token in if introspection does. */
const BACKEND = `
const asked = "http://127.0.0.1:4012/emulator/v1/sessions/introspect";
const server = require("node:http").createServer(async ({ headers }, answer) => {
  const token = (headers.authorization ?? "").replace("Bearer ", "");
  const body = JSON.stringify({ token });
  const reply = await fetch(asked, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { active, iss, aud } = await reply.json();
  const ours = ["http://127.0.0.1:4011", "http://localhost:4011/apps/demo-app"];
  const isOurs = active && ours.includes(iss) && aud === "http://127.0.0.1:4010";
  answer.writeHead(isOurs ? 200 : 401, { "Content-Type": "application/json" }).end("{}");
});
server.listen(8080, "127.0.0.1", () => require("node:fs").writeFileSync("listens", ""));`;

/** Page → what it takes for granted. */
export const TOURS: Readonly<Record<string, Tour>> = {
  "README.md": {},
  "docs/tutorial.md": {},
  "docs/agents.md": {},
  "docs/autofill.md": {
    before:
      "cp node_modules/stagedoor/test/programs/autofill/builds/v123.apk app-debug.apk; git init -q; git config user.name A; git config user.email a@example.com",
  },
  "docs/clock.md": {},
  "docs/conform.md": { files: { "settings.json": '{"list.order": "newest"}' } },
  "docs/coverage.md": { files: { "package.json": '{"scripts": {"test": "node --version"}}' } },
  "docs/delivery.md": {},
  "docs/deploy/README.md": { env: { STAGEDOOR_CONSOLE_HOST: "127.0.0.1", STAGEDOOR_JOIN_TOKEN: "join-this-one" } },
  "docs/deploy/scale.md": { before: "export STAGEDOOR_SHARDS=http://127.0.0.1:4012 STAGEDOOR_JOB=4711" },
  "docs/deterministic.md": {},
  "docs/devices.md": {
    files: { "app.js": 'fetch("https://localhost:4013/livez").then(({ ok }) => process.exit(ok ? 0 : 1));' },
  },
  "docs/failed-logins.md": {
    before: `ID=$(command curl -so /dev/null -D - http://127.0.0.1:4011/v1/users/session ${JSON_BODY} -d '{"appId":"demo-app","user":{"phone":"+12025550100"}}' | tr -d '\\r' | sed -n 's/^[Ee]mulator-[Rr]equest-[Ii]d: //p')`,
  },
  "docs/faults.md": {},
  "docs/rewind.md": {},
  "docs/internals/releasing.md": { before: "mkdir tools; cp node_modules/stagedoor/tools/package-manifests.mjs tools" },
  "docs/settings.md": {},
  "docs/testing.md": {
    files: {
      "package.json": '{"scripts": {"test": "node -e \\"process.exit(process.env.STAGEDOOR_AUTH_URL ? 0 : 1)\\""}}',
    },
  },
  "docs/tokens.md": {
    files: { "backend.js": BACKEND },
    before: `ID=$(${SIGN_IN} | ${ID}); node backend.js & trap "kill $!" EXIT; until [ -e listens ]; do sleep 0.1; done`,
  },
};

/** @returns the steps of a page, in order. */
export const stepsOf = (page: string): Step[] => {
  const all = blocksOf(page);
  const isStep = (block: Block): boolean => block.language === "sh" && notRun(block) === undefined;
  return all.flatMap((block, i) => {
    const next = all[i + 1];
    const reason = next === undefined ? undefined : notRun(next);
    const hasMore = reason === BEGINNING;
    const prints = next?.language === "text" && (reason === undefined || hasMore) ? next.text : undefined;
    return isStep(block) ? [{ commands: block.text, prints, hasMore }] : [];
  });
};

/** @returns a pattern for the output of a step. Times and durations differ. */
export const printedPattern = (prints: string, hasMore = false): RegExp => {
  const escaped = prints.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = escaped.join("[^\\n]*").replaceAll(/\d\d:\d\d:\d\d(?= )|\d+\\\.\d(?= ms)/g, "[\\d:.]+");
  return new RegExp(`^${pattern}${hasMore ? "\\n" : "$"}`);
};
