import { once } from "node:events";
import { appendFile, chmod, copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { FREE_PORTS, freshPath, run, sendCode, start } from "#test/cli/support.ts";
import { listen } from "#test/hosts/listen.ts";

const report = z.object({
  ok: z.boolean(),
  repaired: z.array(z.string()),
  findings: z.array(
    z.object({
      check: z.string(),
      level: z.enum(["ok", "warn", "bad"]),
      text: z.string(),
      advice: z.string().optional(),
      file: z.string().optional(),
      offset: z.number().optional(),
    }),
  ),
});

const examine = async (data: string, ...more: string[]) => {
  const ended = await run(["doctor", ...FREE_PORTS, "--data", data, "--json", ...more]);
  const said = report.parse(JSON.parse(ended.out));
  expect(ended.status).toBe(said.ok ? 0 : 1);
  return { ...said, bad: said.findings.filter((finding) => finding.level === "bad") };
};

/** A data directory with a document file and a journal after a kill. Each test gets a copy. */
let original = "";
const SIGNED_UP = 5;
beforeAll(async () => {
  original = freshPath("original");
  const server = await start(["--json", "--data", original]);
  for (let i = 0; i < SIGNED_UP; i++) await sendCode(server.ready, `+1202555016${i}`);
  server.child.kill("SIGKILL");
  await once(server.child, "exit");
});
const copy = async (): Promise<string> => {
  const data = freshPath();
  await mkdir(data, { mode: 0o700 });
  for (const name of await readdir(original)) await copyFile(join(original, name), join(data, name));
  return data;
};
const journal = async (data: string): Promise<string> =>
  join(data, (await readdir(data)).find((name) => /^journal-\d+\.ndjson$/.test(name)) ?? "no journal");
const phones = async (data: string): Promise<string[]> => {
  const server = await start(["--json", "--data", data]);
  const list = await fetch(`${server.ready.consoleUrl}/emulator/v1/profiles?appId=demo-app&limit=1000`);
  const { items } = z.object({ items: z.array(z.object({ phone: z.string() })) }).parse(await list.json());
  await server.stop();
  return items.map((item) => item.phone);
};
const kept = async (data: string): Promise<string[]> =>
  (await readdir(data)).filter((name) => name.includes(".damaged-"));

describe("doctor", () => {
  test("lists every check and exits with 0 if nothing is wrong", async () => {
    const ended = await run(["doctor", ...FREE_PORTS, "--data", freshPath()]);
    expect(ended).toMatchObject({ status: 0, err: "" });
    expect(ended.out).toContain(process.version);
    for (const word of ["admin", "auth", "console", "data", "lock", "Electron"]) expect(ended.out).toContain(word);
    for (const line of ended.out.trimEnd().split("\n")) expect(line).toMatch(/^(ok {2}|warn| {4}) {2}\S/);
  });

  test("creates and changes nothing", async () => {
    const nowhere = freshPath();
    await examine(nowhere);
    await expect(stat(nowhere)).rejects.toThrow("ENOENT");
    const data = await copy();
    await appendFile(await journal(data), '{"seq":');
    const before = await Promise.all((await readdir(data)).map((name) => readFile(join(data, name), "utf8")));
    const { ok, findings } = await examine(data);
    expect(ok).toBe(true);
    expect(findings.filter(({ level, check }) => level === "warn" && check === "data")).toMatchObject([
      { text: expect.stringContaining("the last write is incomplete") },
    ]);
    expect(await Promise.all((await readdir(data)).map((name) => readFile(join(data, name), "utf8")))).toEqual(before);
  });

  test("names the process on a port in use, and the flag that changes the port", async () => {
    const taken = createServer();
    const port = String(await listen(taken));
    const { bad } = await examine(freshPath(), "--auth-port", port);
    expect(bad).toMatchObject([{ check: "ports", advice: expect.stringContaining("--auth-port") }]);
    expect(bad[0]?.text).toContain(port);
    if (process.platform === "linux") expect(bad[0]?.text).toContain(String(process.pid));
    taken.close();
    const server = await start(["--json", "--data", freshPath()]);
    const ports = ["--console-port", new URL(server.ready.consoleUrl).port];
    expect((await examine(server.ready.dataDir, ...ports)).ok).toBe(true);
    expect((await examine(freshPath(), ...ports)).bad).toMatchObject([
      { text: expect.stringContaining("another Stagedoor") },
    ]);
    await server.stop();
  });

  test("warns of a directory open to other users, and fails for a file in its place", async ({ skip }) => {
    skip(process.platform === "win32", "Windows has no permission bits");
    const data = await copy();
    await chmod(data, 0o755);
    expect((await examine(data)).findings).toContainEqual(expect.objectContaining({ check: "data", level: "warn" }));
    const file = freshPath("file");
    await writeFile(file, "");
    expect((await examine(file)).bad).toMatchObject([{ check: "data" }]);
  });

  test("reports damage with file, byte and remedy", async () => {
    const data = await copy();
    const file = await journal(data);
    const lines = (await readFile(file, "utf8")).split("\n");
    const offset = Buffer.byteLength(`${lines[0]}\n${lines[1]}\n`);
    lines[2] = (lines[2] ?? "").replace("+1202", "+1203");
    await writeFile(file, lines.join("\n"));
    expect((await examine(data)).bad).toMatchObject([
      { check: "data", file, offset, advice: expect.stringContaining("--repair") },
    ]);
  });

  test("reports whether the holder of the lock is alive", async () => {
    const dead = await examine(await copy());
    expect(dead.findings.find(({ check }) => check === "lock")?.text).toContain("has ended");
    const server = await start(["--json", "--data", freshPath()]);
    const living = await examine(server.ready.dataDir);
    expect(living.findings.filter(({ check }) => check === "network")).toEqual([
      { check: "network", level: "ok", text: `auth: ${server.ready.authUrl} answers (127.0.0.1)` },
    ]);
    expect(living.findings.find(({ check }) => check === "lock")?.text).toContain(String(server.ready.pid));
    await server.stop();
  });
});

describe("doctor --repair", () => {
  test("has nothing to do on healthy data, or without data", async () => {
    const data = await copy();
    expect(await examine(data, "--repair")).toMatchObject({ ok: true, repaired: [] });
    expect(await phones(data)).toContain("+12025550164");
    const nowhere = freshPath();
    expect((await examine(nowhere, "--repair")).ok).toBe(true);
    await expect(stat(nowhere)).rejects.toThrow("ENOENT");
  });

  test("truncates a damaged journal after the last good transaction, and backs it up whole", async () => {
    const data = await copy();
    const file = await journal(data);
    const lines = (await readFile(file, "utf8")).split("\n");
    lines[3] = (lines[3] ?? "").replace("+1202", "+1203");
    const damaged = lines.join("\n");
    await writeFile(file, damaged);
    const { ok, repaired } = await examine(data, "--repair");
    expect(ok).toBe(true);
    expect(repaired).toMatchObject([expect.stringContaining("last good transaction")]);
    const [name = ""] = await kept(data);
    expect(await readFile(join(data, name), "utf8")).toBe(damaged);
    const left = await phones(data);
    expect(left).toContain("+12025550161");
    expect(left).not.toContain("+12025550164");
  });

  test("leaves a damaged document alone, and says what to do", async () => {
    const data = await copy();
    const file = join(data, "stagedoor.json");
    const damaged = (await readFile(file, "utf8")).replace('"phone":"+12025550101"', '"phone":+12025550101"');
    await writeFile(file, damaged);
    const ended = await run(["doctor", ...FREE_PORTS, "--data", data, "--repair"]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain(`${file}, byte ${damaged.indexOf('+12025550101"')}`);
    for (const way of ["Edit the file", "a copy of it", "--reset"]) expect(ended.err).toContain(way);
    expect(await readFile(file, "utf8")).toBe(damaged);
    expect(await kept(data)).toEqual([]);
  });

  test("sets a journal without its document file aside; the next start begins from scratch", async () => {
    const data = await copy();
    await rm(join(data, "stagedoor.json"));
    expect((await examine(data)).bad).toMatchObject([{ advice: expect.stringContaining("begins from scratch") }]);
    expect(await examine(data, "--repair")).toMatchObject({
      ok: true,
      repaired: [expect.stringContaining("journal-")],
    });
    expect(await kept(data)).toEqual([expect.stringContaining("journal-")]);
    expect(await phones(data)).toContain("+12025550100");
  });

  test("leaves data of a newer version alone", async () => {
    const data = await copy();
    const file = join(data, "stagedoor.json");
    const newer = (await readFile(file, "utf8")).replace('"version":1', '"version":99');
    await writeFile(file, newer);
    const ended = await run(["doctor", ...FREE_PORTS, "--data", data, "--repair"]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain("newer");
    expect(await readFile(file, "utf8")).toBe(newer);
    expect(await kept(data)).toEqual([]);
  });

  test("leaves data in use alone, and names the holder", async () => {
    const server = await start(["--json", "--data", freshPath()]);
    const ended = await run(["doctor", "--repair", "--data", server.ready.dataDir]);
    expect(ended).toMatchObject({ status: 1, out: "" });
    expect(ended.err).toContain(String(server.ready.pid));
    expect((await server.stop()).status).toBe(0);
  });
});
